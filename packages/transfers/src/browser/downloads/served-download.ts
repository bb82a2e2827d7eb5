import type { FileKeys } from '@sallyport/crypto'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { ServedHandles } from '../service-worker/served.tasks.ts'
import { servedUrl } from '../service-worker/served-urls.ts'
import { connectDecryptServiceWorker } from './decrypt-service-worker.ts'

/** The browser has saved the file itself. */
export interface ServedFile {
  readonly isServed: true
}

interface ServedDownloadInput {
  readonly keys: FileKeys
  /** The path of the file's bytes on the server. */
  readonly path: string
  readonly name: string
}

const offerTimeoutMs = 30_000

/**
 * Opens a decrypt worker that writes directly to the downloads: the service worker decrypts the response that the
 * browser saves.
 */
export async function openServedDownload({
  keys,
  path,
  name,
}: ServedDownloadInput): Promise<DecryptWorker<ServedFile>> {
  const connection = await connectDecryptServiceWorker('/api/')
  const handles = createHandles()
  const frame = document.createElement('iframe')
  const { tasks } = connection
  const end = () => {
    connection.end()
    frame.remove()
  }
  try {
    const offered = tasks.offer({ handles, keys, name }, AbortSignal.timeout(offerTimeoutMs))
    offered.catch(() => undefined)
    await connection.delivered()
    frame.hidden = true
    frame.src = servedUrl(path, handles)
    document.body.append(frame)
    await offered
  } catch (error) {
    end()
    throw error
  }
  return {
    storage: 'disk',
    isSeekable: false,
    receive: tasks.receive,
    async close(...options) {
      await tasks.close(...options)
      end()
      return { isServed: true }
    },
    abort: () => tasks.abort().finally(end),
  }
}

/** Creates random handles that only the service worker can resolve. */
export function createHandles(): ServedHandles {
  const randomHandle = () => `h.${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  return { key: randomHandle(), auth: randomHandle() }
}
