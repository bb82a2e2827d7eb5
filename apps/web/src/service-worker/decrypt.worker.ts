import { serveTasks } from '#/workers/serve-tasks.ts'
import { tellSeldom } from '#/workers/tell-seldom.ts'
import { handlesIn } from './addresses.ts'
import { answerUnknown } from './answers.ts'
import { type OfferedDownload, offerDownload } from './download-desk.ts'
import { type OpenPreview, openPreview } from './preview-desk.ts'
import { claimMessage, connectMessage, keepAliveMessage, type ServedTasks } from './served.tasks.ts'

const worker = self as unknown as ServiceWorkerGlobalScope
const awakeMs = 20_000

/** Only here does a handle lead to a key, and only while this worker lives. */
const downloads = new Map<string, OfferedDownload>()
const previews = new Map<string, OpenPreview>()

worker.addEventListener('install', (event) => {
  // Where the browser can do so, everything else goes past this worker without waking it.
  const ours = { urlPattern: { pathname: '/api/*', search: '*sw_decrypt=*' } }
  const passBy = { condition: { not: ours }, source: 'network' }
  const { addRoutes } = event as { addRoutes?: (rules: unknown) => Promise<void> }
  event.waitUntil(Promise.resolve(addRoutes?.call(event, passBy)).catch(() => undefined))
})

worker.addEventListener('message', (event) => {
  if (!isOwnPage(event.source)) return
  if (event.data === keepAliveMessage) event.waitUntil(pause(awakeMs))
  if (event.data === claimMessage) event.waitUntil(worker.clients.claim())
  const [port] = event.ports
  if (event.data === connectMessage && port) servePage(port)
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const handles = handlesIn(request.url)
  if (!handles || request.method !== 'GET') return
  const known = downloads.get(handles.key) ?? previews.get(handles.key)
  // What carries handles never goes on to the server, known or not.
  if (!known || known.auth !== handles.auth) return event.respondWith(answerUnknown())
  downloads.delete(handles.key)
  const { response, ended } = known.answer(request)
  event.respondWith(response)
  event.waitUntil(ended)
})

/** Each transfer of a page has a port of its own; with it goes what it has opened. */
function servePage(port: MessagePort): void {
  let offered: OfferedDownload | null = null
  const waiting: ((token: string | null) => void)[] = []

  serveTasks<ServedTasks>(
    {
      async offer(ask, { signal }) {
        const download = offerDownload(ask)
        offered = download
        downloads.set(ask.handles.key, download)
        signal.addEventListener('abort', () => downloads.delete(ask.handles.key))
        await download.claimed.finally(() => downloads.delete(ask.handles.key))
        return undefined
      },
      async receive(task, { report, signal }) {
        const progress = tellSeldom(report, (waiting, next) => waiting + next)
        try {
          return await required(offered).lane.receive(task, progress.tell, signal)
        } finally {
          progress.flush()
        }
      },
      close: () => required(offered).lane.close(),
      async abort() {
        await offered?.lane.abort()
        return undefined
      },
      alive: async () => undefined,
      preview(ask, { report, signal }) {
        const askForToken = (turnedDown: string | null) =>
          new Promise<string | null>((resolve) => {
            waiting.push(resolve)
            if (waiting.length === 1) report({ turnedDown })
          })
        previews.set(ask.handles.key, openPreview(ask, { signal, askForToken }))
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            previews.delete(ask.handles.key)
            resolve(undefined)
          })
        })
      },
      async token(token) {
        for (const resolve of waiting.splice(0)) resolve(token)
        return undefined
      },
    },
    port,
  )
}

const isOwnPage = (source: unknown): boolean =>
  source instanceof WindowClient && new URL(source.url).origin === worker.location.origin

function required<Part>(part: Part | null): Part {
  if (part === null) throw new Error('Nothing was offered')
  return part
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
