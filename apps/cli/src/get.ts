import { createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { startDownload } from '@sallyport/client/download/download'
import type { DownloadState } from '@sallyport/client/download/download-state'
import { createOpenLane } from '@sallyport/client/download/open-lane'
import { lookAtShare, openShareLink } from '@sallyport/client/sharing/shared-file'
import { secondsLeft } from '@sallyport/client/throughput'
import { formatBytes, formatPercent, formatSpeed, formatTimeLeft } from '@sallyport/contract/formats'
import { safeFileName } from '@sallyport/crypto'
import { createFileSink } from './file-sink.ts'
import { createLines, createStatusLine, type Terminal } from './terminal.ts'

interface Get {
  readonly link: string
  readonly output: string | undefined
  readonly workingFolder: string
  readonly terminal: Terminal
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

/** Fetches the file behind a share link and gives the path it was saved at, or null when it was stopped. */
export async function getShared({ link, output, workingFolder, terminal, fetch, signal }: Get): Promise<string | null> {
  const { origin, ...shareLink } = await openShareLink(link)
  const connection = { baseUrl: origin, accessToken: async () => null, fetch, clock: systemClock }
  const share = await lookAtShare(createCaller(connection), shareLink)
  const status = createStatusLine(terminal)
  const name = safeFileName(share.name)

  const download = startDownload({
    source: { kind: 'share', share },
    connection,
    async openLane(keys) {
      const sink = await createFileSink({ output, workingFolder, name: share.name, lastModified: share.lastModified })
      return createOpenLane({ keys, sink, fetch, clock: systemClock })
    },
  })
  download.subscribe(() => status.show(describe(name, download.current())))
  signal.addEventListener('abort', () => download.cancel())
  if (signal.aborted) download.cancel()

  const end = await download.finished
  status.clear()
  if (end.status === 'failed') throw end.error
  if (end.status === 'cancelled') return null
  createLines(terminal).side(`${name}: ${formatBytes(share.plainBytes)}, whole and verified`)
  return end.saved
}

function describe(name: string, state: DownloadState<string>): string {
  if (state.status !== 'receiving') return name
  const { receivedBytes, totalBytes, bytesPerSecond } = state
  const done = totalBytes === 0 ? 1 : receivedBytes / totalBytes
  const left = secondsLeft(totalBytes - receivedBytes, bytesPerSecond)
  const parts = [name, formatPercent(done), formatSpeed(bytesPerSecond)]
  return [...parts, ...(left === null ? [] : [formatTimeLeft(left)])].join('  ')
}
