import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import { keyIdOf, keyIdText, type Root } from '@sallyport/crypto'
import { archiveBytes } from '@sallyport/zip/write'
import { refusalOf } from '../answer.ts'
import { type Connection, requireToken } from '../call.ts'
import { type Clock, isTimeout, repeatEvery, systemClock, withDeadline } from '../clock.ts'
import { inDownloadWords, networkFailure } from '../download/failures.ts'
import { receiveFile } from '../download/receive-file.ts'
import { downloadTexts } from '../download/texts.ts'
import { ApiError, invalidResponse } from '../errors.ts'
import { withBearer } from '../http.ts'
import { createSubject, type Observable } from '../observable.ts'
import { prepareRequest } from '../request.ts'
import { createThroughput } from '../throughput.ts'
import type { ArchiveLane, ArchiveOpening } from './archive-lane.ts'
import type { ArchiveEnd, ArchiveState } from './archive-state.ts'
import { type PlannedFile, planArchive } from './plan-archive.ts'
import { archiveTexts } from './texts.ts'

interface StartArchive<Saved> {
  readonly connection: Connection
  readonly accountKey: Root
  readonly openLane: () => ArchiveLane<Saved>
}

export interface ArchiveDownload<Saved> extends Observable<ArchiveState<Saved>> {
  /** Stops at once and leaves nothing behind. Does nothing once the download has ended. */
  cancel(): void
  /** Where a file is stuck: tries it once more. */
  tryAgain(): void
  /** Where a file is stuck: goes on without it. */
  leaveOut(): void
  /** Settles when the archive is saved, or when nothing of it is left. Never rejects. */
  readonly finished: Promise<ArchiveEnd<Saved>>
}

type Choice = 'again' | 'without'

/** Fetches all files of an account, opens them and saves them as one archive: whole and verified, or not at all. */
export function startArchiveDownload<Saved>(start: StartArchive<Saved>): ArchiveDownload<Saved> {
  const state = createSubject<ArchiveState<Saved>>({ status: 'waiting' })
  const stop = new AbortController()
  let choose: (choice: Choice) => void = () => undefined

  const show = (next: ArchiveState<Saved>) => {
    if (!stop.signal.aborted) state.set(next)
  }
  const awaitChoice = (signal: AbortSignal): Promise<Choice> =>
    new Promise((resolve, reject) => {
      choose = resolve
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })

  return {
    current: state.current,
    subscribe: state.subscribe,
    finished: run({ start, show, awaitChoice, signal: stop.signal }),
    tryAgain: () => choose('again'),
    leaveOut: () => choose('without'),
    cancel() {
      const { status } = state.current()
      if (status === 'done' || status === 'failed' || status === 'cancelled') return
      stop.abort(new DOMException(downloadTexts.cancelled, 'AbortError'))
      state.set({ status: 'cancelled' })
    },
  }
}

interface Running<Saved> {
  readonly start: StartArchive<Saved>
  readonly show: (state: ArchiveState<Saved>) => void
  readonly awaitChoice: (signal: AbortSignal) => Promise<Choice>
  readonly signal: AbortSignal
}

async function run<Saved>({ start, show, awaitChoice, signal }: Running<Saved>): Promise<ArchiveEnd<Saved>> {
  const { clock = systemClock } = start.connection
  let lane: ArchiveLane<Saved> | undefined
  try {
    const timeoutMs = transferLimits.downloadTimeoutMs
    const end = await withDeadline({ clock, timeoutMs, signal }, async (signal) => {
      lane = start.openLane()
      const { manifest } = await openArchive({ ...start, lane, clock, signal })
      const planned = await planArchive(manifest, start.accountKey)
      const place = await lane.reserve(archiveBytes(planned.map(({ entry }) => entry)))
      const leftOut = await receiveAll({ start, show, awaitChoice, planned, place, lane, clock, signal })
      signal.throwIfAborted()
      return { status: 'done' as const, saved: await lane.close(), leftOut }
    })
    show(end)
    return signal.aborted ? { status: 'cancelled' } : end
  } catch (error) {
    const end = signal.aborted
      ? { status: 'cancelled' as const }
      : { status: 'failed' as const, error: failureOf(error) }
    show(end)
    await lane?.abort().catch(() => undefined)
    return end
  }
}

function failureOf(error: unknown): Error {
  if (isTimeout(error)) return new Error(archiveTexts.timeout)
  return error instanceof Error ? error : new Error(String(error))
}

interface Opening extends StartArchive<unknown> {
  readonly lane: ArchiveLane<unknown>
  readonly clock: Clock
  readonly signal: AbortSignal
}

async function openArchive({
  connection,
  lane,
  clock,
  signal,
}: Opening): Promise<Extract<ArchiveOpening, { kind: 'opened' }>> {
  const { baseUrl, accessToken } = connection
  const request = prepareRequest(files.downloadAll, {}, baseUrl)
  const token = await requireToken(accessToken)
  let opening = await lane.open(withBearer(request, token), signal)
  const fresh = opening.kind === 'refused' && opening.status === 401 ? await accessToken(token) : null
  if (fresh !== null && fresh !== token) opening = await lane.open(withBearer(request, fresh), signal)
  switch (opening.kind) {
    case 'opened':
      return opening
    case 'refused':
      throw inDownloadWords(new ApiError(refusalOf(opening, clock.now())), 'file')
    case 'unreachable':
      throw networkFailure()
    case 'no-archive':
      throw new Error(invalidResponse)
  }
}

interface Receiving<Saved> extends Running<Saved> {
  readonly planned: readonly PlannedFile[]
  readonly place: 'disk' | 'memory'
  readonly lane: ArchiveLane<Saved>
  readonly clock: Clock
}

/** Answers the names of the files that were left out. */
async function receiveAll<Saved>(work: Receiving<Saved>): Promise<readonly string[]> {
  const { show, awaitChoice, planned, place, clock, signal } = work
  const startedAt = clock.now()
  const throughput = createThroughput(startedAt)
  const ended = new AbortController()
  const leftOut: string[] = []
  let stuck: { readonly fileName: string; readonly error: Error } | null = null
  let totalBytes = planned.reduce((sum, { entry }) => sum + entry.bytes, 0)
  let finishedBytes = 0
  let fileBytes = 0

  function publish(): void {
    const receivedBytes = finishedBytes + fileBytes
    throughput.observe(receivedBytes, clock.now())
    const progress = { receivedBytes, totalBytes, bytesPerSecond: throughput.bytesPerSecond, startedAt, place }
    show(stuck ? { status: 'stuck', ...stuck, ...progress } : { status: 'receiving', ...progress })
  }

  async function receiveOne(file: PlannedFile): Promise<void> {
    for (;;) {
      try {
        fileBytes = 0
        await receivePlanned(work, file, (plainBytes) => {
          fileBytes += plainBytes
        })
        finishedBytes += file.entry.bytes
        return
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ApiError && error.status === 401) throw error
        stuck = { fileName: file.entry.name, error: failureOf(error) }
      } finally {
        fileBytes = 0
      }
      publish()
      const choice = await awaitChoice(signal)
      stuck = null
      publish()
      if (choice === 'again') continue
      leftOut.push(file.entry.name)
      totalBytes -= file.entry.bytes
      return
    }
  }

  publish()
  repeatEvery(transferLimits.progressEveryMs, publish, { clock, signal: ended.signal })
  try {
    for (const file of planned) await receiveOne(file)
    return leftOut
  } finally {
    ended.abort()
  }
}

async function receivePlanned<Saved>(
  { start, lane, clock, signal }: Receiving<Saved>,
  { id, entry, keys }: PlannedFile,
  onOpened: (plainBytes: number) => void,
): Promise<void> {
  if (keys instanceof Error) throw keys
  const { baseUrl, accessToken } = start.connection
  const keyId = keyIdText(await keyIdOf(start.accountKey, 'account'))
  const request = prepareRequest(files.download, { params: { id }, headers: { 'x-encryption-key': keyId } }, baseUrl)
  await lane.begin({ id, entry, keys })
  const receiving = { isSeekable: false, receive: lane.receive }
  await receiveFile({ kind: 'file', keys, request, lane: receiving, accessToken, clock, onOpened, signal })
  await lane.end()
}
