import { type Connection, createCaller } from '@sallyport/client/call'
import type { DownloadSource } from '../../engine/download/source.ts'
import { servedUrl } from '../service-worker/served-urls.ts'
import { connectDecryptServiceWorker } from './decrypt-service-worker.ts'
import { createHandles } from './served-download.ts'

/** A decrypted file at a URL while it is shown. The URL supports range requests. */
export interface ServedPreview {
  readonly address: string
  /** Discards the key; afterwards the URL no longer resolves. */
  close(): void
}

interface ServedPreviewInput {
  readonly source: DownloadSource
  /** A media type that browsers render without executing anything. */
  readonly mediaType: string
  readonly connection: Connection
}

const controlTimeoutMs = 5000

/** Makes the service worker serve a file. Rejects where the browser doesn't allow a service worker. */
export async function openServedPreview({ source, mediaType, connection }: ServedPreviewInput): Promise<ServedPreview> {
  const { keys, request } = await source.open(createCaller(connection), connection.baseUrl)
  const { tasks, delivered, claim, end } = await connectDecryptServiceWorker('/')
  const controller = new AbortController()
  const handles = createHandles()
  const close = () => {
    controller.abort()
    end()
  }
  try {
    claim()
    await waitForControl()
    const serving = tasks.preview({ handles, keys, mediaType, request }, sendToken, controller.signal)
    serving.catch(() => undefined)
    await delivered()
  } catch (error) {
    close()
    throw error
  }
  return { address: servedUrl(new URL(request.url, location.href).pathname, handles), close }

  async function sendToken(rejectedToken: string | null): Promise<void> {
    const token = source.needsAccessToken ? await connection.getAccessToken(rejectedToken ?? undefined) : null
    await tasks.token(token)
  }
}

/** Waits until the service worker controls this page; before that, the browser sends its requests to the network. */
async function waitForControl(): Promise<void> {
  const deadline = performance.now() + controlTimeoutMs
  while (!navigator.serviceWorker.controller?.scriptURL.includes('/decrypt-worker')) {
    if (performance.now() > deadline) throw new Error('The service worker does not control this page')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
