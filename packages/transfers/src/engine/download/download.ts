import { type Connection, createCaller } from '@sallyport/client/call'
import { raceAbort, systemClock } from '@sallyport/client/clock'
import { alwaysOnline, runWhileOnline } from '@sallyport/client/connectivity'
import { hasCode } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import { createThroughput } from '@sallyport/client/throughput'
import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import { createTransferControl, toError, withProgress } from '../transfer.ts'
import type { CreateDecryptWorker, DecryptWorker } from './decrypt-worker.ts'
import { countDecrypted, type DownloadEnd, type DownloadState } from './download-state.ts'
import { isRetryable } from './errors.ts'
import { plainBytesOf } from './plan.ts'
import { receiveFile } from './receive-file.ts'
import type { DownloadSource, OpenedSource } from './source.ts'

export interface StartDownloadInput<Saved> {
  readonly source: DownloadSource
  readonly connection: Connection
  readonly createWorker: CreateDecryptWorker<Saved>
}

export interface Download<Saved> extends Observable<DownloadState<Saved>> {
  /** Stops at once and leaves nothing behind. Does nothing once the download has ended. */
  cancel(): void
  /** Settles when the file is saved, or when nothing of it is left. Never rejects. */
  readonly finished: Promise<DownloadEnd<Saved>>
}

/** Fetches a sealed file, opens it and saves it: whole and verified, or not at all. */
export function startDownload<Saved>(input: StartDownloadInput<Saved>): Download<Saved> {
  const { signal, setState, ...shown } = createTransferControl<DownloadState<Saved>>('The download was cancelled')
  return { ...shown, finished: runDownload({ ...input, signal, setState }) }
}

interface DownloadRun<Saved> extends StartDownloadInput<Saved> {
  readonly setState: (state: DownloadState<Saved>) => void
  readonly signal: AbortSignal
}

async function runDownload<Saved>(run: DownloadRun<Saved>): Promise<DownloadEnd<Saved>> {
  const { source, connection, setState, signal } = run
  let worker: DecryptWorker<Saved> | undefined
  try {
    const { connectivity = alwaysOnline } = connection
    const opened = await runWhileOnline(connectivity, signal, () =>
      source.open(createCaller(connection), connection.baseUrl),
    )
    worker = await openWorker(run, opened.keys)
    await receive(run, opened, worker)
    signal.throwIfAborted()
    const saved = await worker.close(countDecrypted(opened.keys.header.plainBytes, setState), signal)
    const end = { status: 'done' as const, saved }
    setState(end)
    return signal.aborted ? { status: 'cancelled' } : end
  } catch (error) {
    const failure = { status: 'failed' as const, error: toError(error) }
    // The user may also cancel in the browser's list of downloads.
    const isCancelled = signal.aborted || hasCode(error, 'DOWNLOAD_CANCELLED')
    const end = isCancelled ? { status: 'cancelled' as const } : failure
    setState(end)
    const isResumable = end.status === 'failed' && isRetryable(end.error)
    await (isResumable ? (worker?.suspend ?? worker?.abort) : worker?.abort)?.().catch((error) =>
      ignore(error, 'the download has ended anyway'),
    )
    return end
  }
}

/** A worker that opens after the download was cancelled is closed again. */
function openWorker<Saved>(
  { createWorker, signal }: DownloadRun<Saved>,
  keys: FileKeys,
): Promise<DecryptWorker<Saved>> {
  const opening = createWorker(keys)
  opening
    .then((late) => (signal.aborted ? late.abort() : undefined))
    .catch((error) => ignore(error, 'the download rejects with it, or was cancelled'))
  return raceAbort(opening, signal)
}

async function receive<Saved>(
  { source: { needsAccessToken }, connection, setState, signal }: DownloadRun<Saved>,
  { keys, request }: OpenedSource,
  worker: DecryptWorker<Saved>,
): Promise<void> {
  const { clock = systemClock, connectivity = alwaysOnline, getAccessToken: accessToken } = connection
  const startedAt = clock.now()
  const throughput = createThroughput(startedAt)
  const resumedBytes = plainBytesOf(keys.header, worker.writtenRecords ?? [])
  let receivedBytes = resumedBytes

  function publish(): void {
    throughput.observe(receivedBytes - resumedBytes, clock.now())
    const { bytesPerSecond } = throughput
    const totalBytes = keys.header.plainBytes
    const isPaused = !connectivity.current()
    const { storage } = worker
    setState({ status: 'receiving', isPaused, receivedBytes, totalBytes, bytesPerSecond, startedAt, storage })
  }

  const onOpened = (plainBytes: number) => {
    receivedBytes += plainBytes
  }
  await withProgress(clock, publish, () =>
    receiveFile({ needsAccessToken, keys, request, worker, accessToken, clock, connectivity, onOpened, signal }),
  )
}
