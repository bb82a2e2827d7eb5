import { type Connection, withFreshToken } from '@sallyport/client/call'
import { type Clock, isTimeout, systemClock, withDeadline } from '@sallyport/client/clock'
import { alwaysOnline, runWhileOnline } from '@sallyport/client/connectivity'
import { ApiError, ClientError, NetworkError } from '@sallyport/client/errors'
import { withBearer } from '@sallyport/client/http'
import type { Observable } from '@sallyport/client/observable'
import { prepareRequest } from '@sallyport/client/request'
import { toApiError } from '@sallyport/client/response'
import { createThroughput } from '@sallyport/client/throughput'
import { files } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { transferLimits } from '@sallyport/contract/limits'
import { keyIdOf, keyIdText, type RootKey } from '@sallyport/crypto'
import { archiveBytes } from '@sallyport/zip/write'
import { countDecrypted } from '../download/download-state.ts'
import { receiveFile } from '../download/receive-file.ts'
import { createTransferControl, toError, withProgress } from '../transfer.ts'
import type { ArchiveEnd, ArchiveState } from './archive-state.ts'
import type { ArchiveFile, ArchiveWorker, OpenArchiveResult } from './archive-worker.ts'
import { type PlannedFile, planArchive } from './plan-archive.ts'

interface StartArchiveInput<Saved> {
  readonly connection: Connection
  readonly accountKey: RootKey
  readonly createWorker: () => ArchiveWorker<Saved>
}

export interface ArchiveDownload<Saved> extends Observable<ArchiveState<Saved>> {
  /** Stops at once and leaves nothing behind. Does nothing once the download has ended. */
  cancel(): void
  /** Retries the file that failed. */
  retry(): void
  /** Continues without the file that failed. */
  skip(): void
  /** Resolves when the archive is saved, or when everything of it is deleted. Never rejects. */
  readonly finished: Promise<ArchiveEnd<Saved>>
}

type FailedFileDecision = 'again' | 'without'

/**
 * Downloads all files of an account, decrypts them and saves them as one archive: whole and verified, or not at all.
 */
export function startArchiveDownload<Saved>(input: StartArchiveInput<Saved>): ArchiveDownload<Saved> {
  const {
    signal: cancelled,
    setState,
    ...shown
  } = createTransferControl<ArchiveState<Saved>>('The download was cancelled')
  let decide: (decision: FailedFileDecision) => void = () => undefined

  const waitForDecision = (signal: AbortSignal): Promise<FailedFileDecision> =>
    new Promise((resolve, reject) => {
      decide = resolve
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })

  return {
    ...shown,
    finished: runArchive({ ...input, signal: cancelled, setState, waitForDecision }),
    retry: () => decide('again'),
    skip: () => decide('without'),
  }
}

interface ArchiveRun<Saved> extends StartArchiveInput<Saved> {
  readonly setState: (state: ArchiveState<Saved>) => void
  readonly waitForDecision: (signal: AbortSignal) => Promise<FailedFileDecision>
  readonly signal: AbortSignal
}

async function runArchive<Saved>(run: ArchiveRun<Saved>): Promise<ArchiveEnd<Saved>> {
  const { setState, signal } = run
  const { clock = systemClock } = run.connection
  let worker: ArchiveWorker<Saved> | undefined
  try {
    const timeoutMs = transferLimits.downloadTimeoutMs
    const end = await withDeadline({ clock, timeoutMs, signal }, async (deadlineSignal) => {
      worker = run.createWorker()
      const opened = { ...run, worker, clock, signal: deadlineSignal }
      const { connectivity = alwaysOnline } = run.connection
      const { manifest } = await runWhileOnline(connectivity, deadlineSignal, () => openArchive(opened))
      const planned = await planArchive(manifest, run.accountKey)
      const totalBytes = archiveBytes(planned.map(({ entry }) => entry))
      const skipped = await receiveAll({ ...opened, planned, storage: await worker.reserve(totalBytes) })
      deadlineSignal.throwIfAborted()
      const saved = await worker.close(countDecrypted(totalBytes, setState), deadlineSignal)
      return { status: 'done' as const, saved, skipped }
    })
    setState(end)
    return signal.aborted ? { status: 'cancelled' } : end
  } catch (error) {
    const end = signal.aborted
      ? { status: 'cancelled' as const }
      : { status: 'failed' as const, error: toArchiveError(error) }
    setState(end)
    await worker?.abort().catch((error) => ignore(error, 'leftovers are deleted at the next visit'))
    return end
  }
}

const toArchiveError = (error: unknown): Error =>
  isTimeout(error) ? new ClientError('ARCHIVE_TIMEOUT') : toError(error)

interface OpenArchiveRun<Saved> extends ArchiveRun<Saved> {
  readonly worker: ArchiveWorker<Saved>
  readonly clock: Clock
}

async function openArchive<Saved>({
  connection,
  worker,
  clock,
  signal,
}: OpenArchiveRun<Saved>): Promise<Extract<OpenArchiveResult, { kind: 'opened' }>> {
  const { baseUrl, getAccessToken } = connection
  const request = prepareRequest(files.downloadAll, {}, baseUrl)
  const result = await withFreshToken(
    getAccessToken,
    (token) => worker.open(withBearer(request, token), signal),
    (outcome) => outcome.kind === 'refused' && outcome.status === 401,
  )
  switch (result.kind) {
    case 'opened':
      return result
    case 'refused':
      throw toApiError(result, clock.now())
    case 'unreachable':
      throw new NetworkError()
    case 'no-archive':
      throw new ClientError('INVALID_RESPONSE')
  }
}

interface ReceiveAllRun<Saved> extends OpenArchiveRun<Saved> {
  readonly planned: readonly PlannedFile[]
  readonly storage: 'disk' | 'memory'
}

/** Returns the names of the skipped files. */
async function receiveAll<Saved>(run: ReceiveAllRun<Saved>): Promise<readonly string[]> {
  const { setState, waitForDecision, worker, planned, storage, clock, signal } = run
  const { connectivity = alwaysOnline } = run.connection
  const startedAt = clock.now()
  const throughput = createThroughput(startedAt)
  const skipped: string[] = []
  let failed: { readonly fileName: string; readonly error: Error } | null = null
  let totalBytes = planned.reduce((sum, { entry }) => sum + entry.bytes, 0)
  let finishedBytes = 0
  let fileBytes = 0

  function publish(): void {
    const receivedBytes = finishedBytes + fileBytes
    throughput.observe(receivedBytes, clock.now())
    const { bytesPerSecond } = throughput
    const isPaused = !connectivity.current()
    const progress = { isPaused, receivedBytes, totalBytes, bytesPerSecond, startedAt, storage }
    setState(failed ? { status: 'stuck', ...failed, ...progress } : { status: 'receiving', ...progress })
  }

  async function receiveOne(file: PlannedFile): Promise<void> {
    for (;;) {
      try {
        fileBytes = 0
        await receivePlanned(run, file, (plainBytes) => {
          fileBytes += plainBytes
        })
        finishedBytes += file.entry.bytes
        return
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ApiError && error.status === 401) throw error
        failed = { fileName: file.entry.name, error: toArchiveError(error) }
      } finally {
        fileBytes = 0
      }
      publish()
      const decision = await waitForDecision(signal)
      failed = null
      publish()
      if (decision === 'again') continue
      skipped.push(file.entry.name)
      totalBytes -= file.entry.bytes
      return
    }
  }

  /** Returns how many of these small files were received. */
  async function receiveSmall(batch: readonly ArchiveFile[]): Promise<number> {
    if (batch.length === 0) return 0
    const addBytes = (plainBytes: number) => {
      fileBytes += plainBytes
    }
    const count = await worker.receiveMany(batch, addBytes, signal)
    fileBytes = 0
    finishedBytes += batch.slice(0, count).reduce((sum, { entry }) => sum + entry.bytes, 0)
    return count
  }

  await withProgress(clock, publish, async () => {
    for (let next = 0; next < planned.length; ) {
      const batch = smallFilesFrom(planned, next)
      const count = await receiveSmall(batch)
      next += count
      const file = planned[next]
      if (!file || (batch.length > 0 && count === batch.length)) continue
      await receiveOne(file)
      next += 1
    }
  })
  return skipped
}

/** Files that the worker receives together, so that each does not wait for the page. */
const maxBatchFiles = 64

/** Consecutive files of a single record each. */
function smallFilesFrom(planned: readonly PlannedFile[], first: number): readonly ArchiveFile[] {
  const batch: ArchiveFile[] = []
  for (const { id, entry, keys } of planned.slice(first, first + maxBatchFiles)) {
    if (keys instanceof Error || keys.header.recordCount !== 1) break
    batch.push({ id, entry, keys })
  }
  return batch
}

async function receivePlanned<Saved>(
  { connection, accountKey, worker, clock, signal }: ReceiveAllRun<Saved>,
  { id, entry, keys }: PlannedFile,
  onOpened: (plainBytes: number) => void,
): Promise<void> {
  if (keys instanceof Error) throw keys
  const { baseUrl, connectivity = alwaysOnline, getAccessToken: accessToken } = connection
  const keyId = keyIdText(await keyIdOf(accountKey, 'account'))
  const request = prepareRequest(files.download, { params: { id }, headers: { 'x-encryption-key': keyId } }, baseUrl)
  await worker.begin({ id, entry, keys })
  const sequentialWorker = { isSeekable: false, receive: worker.receive }
  const receiving = { keys, request, accessToken, clock, connectivity, onOpened, signal }
  await receiveFile({ needsAccessToken: true, worker: sequentialWorker, ...receiving })
  await worker.end()
}
