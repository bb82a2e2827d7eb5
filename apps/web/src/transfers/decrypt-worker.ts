import { serviceWorkerUrl as decryptWorkerUrl } from '#/service-worker/decrypt.worker.ts?service-worker'
import { claimMessage, connectMessage, keepAliveMessage, type ServedTasks } from '#/service-worker/served.tasks.ts'
import { trustedScriptUrl } from '#/ui/trusted-script-url.ts'
import { servingLock } from './old-workers.ts'
import { openTaskPort, type TaskPort } from './task-port.ts'

const keepAliveMs = 10_000
const readyWithinMs = 10_000
/** A busy machine may keep a living worker from answering for a while. */
const aliveWithinMs = 20_000

export interface ServedConnection {
  readonly tasks: TaskPort<ServedTasks>
  /** Has the service worker see what this page itself asks for. */
  claim(): void
}

/**
 * Connects to the service worker, for what lies under a path. Rejects where the browser lets this page have none. Until
 * the connection is ended the worker is kept awake and is not replaced.
 */
export async function connectDecryptWorker(scope: '/' | '/api/'): Promise<ServedConnection> {
  const worker = await startedWorker(scope)
  const { port1, port2 } = new MessageChannel()
  const release = holdServingLock()
  const timer = setInterval(() => {
    worker.postMessage(keepAliveMessage)
    askWhetherAlive()
  }, keepAliveMs)
  const tasks = openTaskPort<ServedTasks>(port1, () => {
    clearInterval(timer)
    port1.close()
    release()
  })
  // A worker that was killed says nothing any more, and not every browser tells of it.
  port1.addEventListener('close', () => tasks.fail())
  function askWhetherAlive(): void {
    tasks.run('alive', null, { signal: AbortSignal.timeout(aliveWithinMs) }).catch(() => tasks.fail())
  }
  worker.postMessage(connectMessage, [port2])
  return { tasks, claim: () => worker.postMessage(claimMessage) }
}

async function startedWorker(scope: string): Promise<ServiceWorker> {
  if (!('serviceWorker' in navigator)) throw new Error('This browser gives pages no service worker')
  const registration = await navigator.serviceWorker.register(trustedScriptUrl(decryptWorkerUrl), {
    scope,
    updateViaCache: 'none',
  })
  const isOurs = (worker: ServiceWorker | null) =>
    worker !== null && new URL(worker.scriptURL).pathname === decryptWorkerUrl && worker.state === 'activated'
  const end = performance.now() + readyWithinMs
  while (!isOurs(registration.active)) {
    if (performance.now() > end) throw new Error('The service worker did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return registration.active as ServiceWorker
}

/** Says to other tabs that a worker is at work. */
function holdServingLock(): () => void {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  navigator.locks.request(servingLock, { mode: 'shared' }, () => held).catch(() => undefined)
  return release
}
