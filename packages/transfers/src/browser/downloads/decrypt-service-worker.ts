import { holdLock } from '@sallyport/browser/locks'
import { openTaskPort, type TaskPort } from '@sallyport/browser/task-port'
import { trustedScriptUrl } from '@sallyport/browser/trusted-script-url'
import { serviceWorkerUrl as decryptWorkerUrl } from '../service-worker/decrypt.worker.ts?service-worker'
import { claimMessage, connectMessage, keepAliveMessage, type ServedTasks } from '../service-worker/served.tasks.ts'
import { servingLock } from '../service-worker-cleanup.ts'

const keepAliveMs = 10_000
/** A busy machine takes a while to start a worker, and a live worker a while to answer. */
const readyTimeoutMs = 30_000
const aliveTimeoutMs = 20_000

export interface ServiceWorkerConnection {
  readonly tasks: ServedTasks
  readonly run: TaskPort<ServedTasks>['run']
  /**
   * Resolves once the service worker has received all tasks sent so far. The port keeps their order, but a request of the
   * browser may overtake them.
   */
  delivered(): Promise<void>
  /** Makes the service worker intercept the requests of this page. */
  claim(): void
  /** Closes the connection and rejects pending tasks. */
  end(): void
}

/**
 * Connects to the service worker for a scope. Rejects where the browser doesn't allow one. While the connection is open
 * the worker is kept alive and is not replaced.
 */
export async function connectDecryptServiceWorker(scope: '/' | '/api/'): Promise<ServiceWorkerConnection> {
  const worker = await startServiceWorker(scope)
  const { port1, port2 } = new MessageChannel()
  // Tells other tabs that a service worker is in use.
  const release = holdLock(servingLock, 'shared')
  const timer = setInterval(() => {
    worker.postMessage(keepAliveMessage)
    checkAlive()
  }, keepAliveMs)
  const taskPort = openTaskPort<ServedTasks>(port1, () => {
    clearInterval(timer)
    port1.close()
    release()
  })
  // A killed worker sends no message, and not every browser fires 'close'.
  port1.addEventListener('close', () => taskPort.fail())
  function checkAlive(): void {
    taskPort.tasks.alive(AbortSignal.timeout(aliveTimeoutMs)).catch(() => taskPort.fail())
  }
  worker.postMessage(connectMessage, [port2])
  return {
    tasks: taskPort.tasks,
    run: taskPort.run,
    delivered: () => taskPort.tasks.alive(AbortSignal.timeout(aliveTimeoutMs)),
    claim: () => worker.postMessage(claimMessage),
    end: taskPort.end,
  }
}

async function startServiceWorker(scope: string): Promise<ServiceWorker> {
  if (!('serviceWorker' in navigator)) throw new Error('This browser has no service workers')
  const registration = await navigator.serviceWorker.register(trustedScriptUrl(decryptWorkerUrl), {
    scope,
    updateViaCache: 'none',
  })
  const isOurs = (worker: ServiceWorker | null) =>
    worker !== null && new URL(worker.scriptURL).pathname === decryptWorkerUrl && worker.state === 'activated'
  const deadline = performance.now() + readyTimeoutMs
  while (!isOurs(registration.active)) {
    if (performance.now() > deadline) throw new Error('The service worker did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return registration.active as ServiceWorker
}
