import { type Connection, createCaller } from '@sallyport/client/call'
import { type DownloadSource, openSource } from '@sallyport/client/download/source'
import { servedAddress } from '#/service-worker/addresses.ts'
import { connectDecryptWorker } from './decrypt-worker.ts'
import { newHandles } from './served-lane.ts'

/** A file at an address of its own, for as long as it is shown: any range of it can be asked for. */
export interface ServedPreview {
  readonly address: string
  /** Forgets the key; from then on nothing answers at the address. */
  close(): void
}

interface Wish {
  readonly source: DownloadSource
  /** One of those that browsers show without running anything. */
  readonly mediaType: string
  readonly connection: Connection
}

const controlledWithinMs = 5000

/** Has the service worker answer for a file. Rejects where the browser lets this page have none. */
export async function openServedPreview({ source, mediaType, connection }: Wish): Promise<ServedPreview> {
  const { keys, request } = await openSource(source, createCaller(connection), connection.baseUrl)
  const { tasks, claim } = await connectDecryptWorker('/')
  const stop = new AbortController()
  const handles = newHandles()
  const close = () => {
    stop.abort()
    tasks.end()
  }
  try {
    claim()
    await controlled()
    const serving = tasks.run(
      'preview',
      { handles, keys, mediaType, request },
      {
        signal: stop.signal,
        onProgress: ({ turnedDown }) => void giveToken(turnedDown),
      },
    )
    serving.catch(() => undefined)
  } catch (error) {
    close()
    throw error
  }
  return { address: servedAddress(new URL(request.url, location.href).pathname, handles), close }

  async function giveToken(turnedDown: string | null): Promise<void> {
    const token = source.kind === 'share' ? null : await connection.accessToken(turnedDown ?? undefined)
    await tasks.run('token', token)
  }
}

/** Until then the browser would send what this page asks for past the service worker. */
async function controlled(): Promise<void> {
  const end = performance.now() + controlledWithinMs
  while (!navigator.serviceWorker.controller?.scriptURL.includes('/decrypt-worker')) {
    if (performance.now() > end) throw new Error('The service worker does not see this page')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
