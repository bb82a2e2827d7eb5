import { serveTasks } from '@sallyport/browser/serve-tasks'
import { sumProgress } from '../workers/throttle.ts'
import { type OfferedDownload, offerDownload } from './offered-download.ts'
import { createServedPreview, type ServedPreview } from './range-preview.ts'
import { unknownHandlesResponse } from './responses.ts'
import { claimMessage, connectMessage, keepAliveMessage, type ServedTasks } from './served.tasks.ts'
import { handlesOf } from './served-urls.ts'

const worker = self as unknown as ServiceWorkerGlobalScope
const keepAliveMs = 20_000

/** Maps handles to keys. The maps exist only in this worker and only while it runs. */
const downloads = new Map<string, OfferedDownload>()
const previews = new Map<string, ServedPreview>()

worker.addEventListener('install', (event) => {
  // Static routing, if supported, lets all other requests bypass this worker without starting it.
  const ours = { urlPattern: { pathname: '/api/*', search: '*sw_decrypt=*' } }
  const bypassRule = { condition: { not: ours }, source: 'network' }
  const { addRoutes } = event as { addRoutes?: (rules: unknown) => Promise<void> }
  event.waitUntil(Promise.resolve(addRoutes?.call(event, bypassRule)).catch(() => undefined))
})

worker.addEventListener('message', (event) => {
  if (!isOwnPage(event.source)) return
  if (event.data === keepAliveMessage) event.waitUntil(delay(keepAliveMs))
  if (event.data === claimMessage) event.waitUntil(worker.clients.claim())
  const [port] = event.ports
  if (event.data === connectMessage && port) servePage(port)
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const handles = handlesOf(request.url)
  if (!handles || request.method !== 'GET') return
  const served = downloads.get(handles.key) ?? previews.get(handles.key)
  // A request with handles is never forwarded to the server, whether they are known or not.
  if (!served || served.auth !== handles.auth) return event.respondWith(unknownHandlesResponse())
  downloads.delete(handles.key)
  // Not prolonged until the response has ended: Chromium stops a service worker with an event of more than five minutes.
  event.respondWith(served.respond(request))
})

/** Each transfer of a page has its own port; closing the port releases what it has opened. */
function servePage(port: MessagePort): void {
  let offered: OfferedDownload | null = null
  const closing = new AbortController()
  const pendingTokens: ((token: string | null) => void)[] = []

  serveTasks<ServedTasks>(
    {
      async offer(input, stagedRecords, requestFile) {
        const download = offerDownload({ ...input, stagedRecords, requestFile })
        offered = download
        // Acquired once the page has released it or is closed. A port does not report that.
        void navigator.locks.request(input.handles.key, () => {
          closing.abort(new Error('The page was closed'))
          return download.decryptWorker.abort()
        })
        downloads.set(input.handles.key, download)
        await download.claimed.finally(() => downloads.delete(input.handles.key))
      },
      receive: (task, onOpened, signal) =>
        sumProgress(onOpened, (push) => {
          const eitherSignal = AbortSignal.any([signal, closing.signal])
          return requireOffered(offered).decryptWorker.receive(task, push, eitherSignal)
        }),
      close: async (onDecrypted, signal) => requireOffered(offered).decryptWorker.close(onDecrypted, signal),
      abort: async () => offered?.decryptWorker.abort(),
      alive: async () => undefined,
      preview(input, onTokenNeeded, signal) {
        const requestToken = (rejected: string | null) =>
          new Promise<string | null>((resolve) => {
            pendingTokens.push(resolve)
            if (pendingTokens.length === 1) onTokenNeeded(rejected)
          })
        previews.set(input.handles.key, createServedPreview(input, { signal, requestToken }))
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            previews.delete(input.handles.key)
            resolve(undefined)
          })
        })
      },
      async token(token) {
        for (const resolve of pendingTokens.splice(0)) resolve(token)
      },
    },
    port,
  )
}

const isOwnPage = (source: unknown): boolean =>
  source instanceof WindowClient && new URL(source.url).origin === worker.location.origin

function requireOffered<Offered>(part: Offered | null): Offered {
  if (part === null) throw new Error('No download was offered on this port')
  return part
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
