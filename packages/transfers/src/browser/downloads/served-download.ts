import { createClaims, type ReleaseClaim } from '@sallyport/browser/locks'
import type { FileKeys } from '@sallyport/crypto'
import type { ServedHandles } from '../service-worker/served.tasks.ts'
import { servedUrl } from '../service-worker/served-urls.ts'
import type { PageDecryptWorker } from './crypto-workers.ts'
import { connectDecryptServiceWorker } from './decrypt-service-worker.ts'
import type { ServedDownload } from './with-fallback.ts'

interface ServedDownloadInput {
  readonly keys: FileKeys
  /** The path of the file's bytes on the server. */
  readonly path: string
  readonly name: string
  /** Stages the records, so that a later attempt can resume from them. */
  readonly staged: Promise<PageDecryptWorker | null>
}

/**
 * Opens a download that the service worker decrypts in the response that the browser saves. The browser is made to
 * request it once the first record is verified.
 */
export async function openServedDownload({ keys, path, name, staged }: ServedDownloadInput): Promise<ServedDownload> {
  const { tasks, run, end: disconnect } = await connectDecryptServiceWorker('/api/')
  const handles = createHandles()
  let release: ReleaseClaim | null = null
  const frame = document.createElement('iframe')
  let isRequested = false
  const requestFile = () => {
    frame.hidden = true
    frame.src = servedUrl(path, handles)
    document.body.append(frame)
  }
  const end = () => {
    disconnect()
    void release?.()
    frame.remove()
  }
  try {
    // The service worker ends the download when the page is closed.
    release = await createClaims('').claim(handles.key)
    const port = await connectStaged(await staged)
    run('offer', [{ handles, keys, name }, port, requestFile], port ? [port] : []).then(
      () => {
        isRequested = true
      },
      () => undefined,
    )
  } catch (error) {
    end()
    throw error
  }
  return {
    isRequested: () => isRequested,
    receive: tasks.receive,
    close: (...options) => tasks.close(...options).finally(end),
    abort: () => tasks.abort().finally(end),
    end,
  }
}

async function connectStaged(staged: PageDecryptWorker | null): Promise<MessagePort | null> {
  if (!staged) return null
  const { port1, port2 } = new MessageChannel()
  await staged.serveStaged(port1)
  return port2
}

/** Creates random handles that only the service worker can resolve. */
export function createHandles(): ServedHandles {
  const randomHandle = () => `h.${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  return { key: randomHandle(), auth: randomHandle() }
}
