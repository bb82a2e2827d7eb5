import { createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { createConnectivity } from '@sallyport/client/create-connectivity'
import { getSharedFile, parseShareLink } from '@sallyport/client/sharing/shared-file'
import { remainingSeconds } from '@sallyport/client/throughput'
import { formatBytes, formatPercent, formatSpeed, formatTimeLeft } from '@sallyport/contract/formats'
import { safeFileName } from '@sallyport/crypto'
import { createDecryptWorker } from '@sallyport/transfers/engine/download/decrypt-worker'
import { startDownload } from '@sallyport/transfers/engine/download/download'
import type { DownloadState } from '@sallyport/transfers/engine/download/download-state'
import { sharedFileSource } from '@sallyport/transfers/engine/download/shared-file-source'
import { createFileSink } from '@sallyport/transfers/node/file-sink'
import { createLineWriter, createStatusLine, type Terminal } from './terminal.ts'

interface GetSharedOptions {
  readonly link: string
  readonly output: string | undefined
  readonly workingFolder: string
  readonly terminal: Terminal
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

/** Downloads the file of a share link. Returns the path of the saved file, or null if it was aborted. */
export async function getShared({
  link,
  output,
  workingFolder,
  terminal,
  fetch,
  signal,
}: GetSharedOptions): Promise<string | null> {
  const { origin, ...shareLink } = await parseShareLink(link)
  const anonymous = { baseUrl: origin, getAccessToken: async () => null, fetch, clock: systemClock }
  const connection = { ...anonymous, connectivity: createConnectivity({ call: createCaller(anonymous) }) }
  const share = await getSharedFile(createCaller(connection), shareLink)
  const status = createStatusLine(terminal)
  const name = safeFileName(share.name)

  const sink = await createFileSink({ output, workingFolder, share, signal })
  const download = startDownload({
    source: sharedFileSource({ ...share, claim: sink.claim }),
    connection,
    createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch, clock: systemClock }),
  })
  download.subscribe(() => status.show(formatProgress(name, download.current())))
  signal.addEventListener('abort', () => download.cancel())
  if (signal.aborted) download.cancel()

  const end = await download.finished
  status.clear()
  await sink.suspend()
  if (sink.isResumable())
    createLineWriter(terminal).stderr(`${name}: what has arrived is kept. Run the same command again to continue.`)
  if (end.status === 'failed') throw end.error
  if (end.status === 'cancelled') return null
  createLineWriter(terminal).stderr(`${name}: ${formatBytes(share.plainBytes)}, complete and verified`)
  return end.saved
}

function formatProgress(name: string, state: DownloadState<string>): string {
  if (state.status !== 'receiving') return name
  if (state.isPaused) return `${name}  waiting for the server`
  const { receivedBytes, totalBytes, bytesPerSecond } = state
  const fraction = totalBytes === 0 ? 1 : receivedBytes / totalBytes
  const left = remainingSeconds(totalBytes - receivedBytes, bytesPerSecond)
  const columns = [name, formatPercent(fraction), formatSpeed(bytesPerSecond)]
  return [...columns, ...(left === null ? [] : [formatTimeLeft(left)])].join('  ')
}
