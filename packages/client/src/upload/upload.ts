import { transferLimits } from '@sallyport/contract/limits'
import type { Root } from '@sallyport/crypto'
import { type Call, type Connection, createCaller } from '../call.ts'
import { repeatEvery, systemClock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { inUploadWords, mayGoOn } from './failures.ts'
import type { FileSource } from './file-source.ts'
import { journalInMemory, type OpenJournal, type Resumption } from './journal.ts'
import { alwaysOpen, type Line } from './line.ts'
import type { UploadPlace } from './place.ts'
import { keptOf, type NotedUpload, type PreparedUpload, prepareUpload } from './prepare-upload.ts'
import { reopenUpload } from './reopen-upload.ts'
import type { OpenSealLane } from './seal-lane.ts'
import { sendUpload } from './send-upload.ts'
import { takeBack } from './stored-file.ts'
import { uploadTexts } from './texts.ts'
import { createUploadProgress } from './upload-progress.ts'
import type { UploadEnd, UploadState } from './upload-state.ts'
import { createWayKeeper, type WayKeeper } from './way.ts'

export interface StartUpload {
  readonly file: FileSource
  /** Without it, the account. */
  readonly place?: UploadPlace | undefined
  /**
   * The key of the account, or of the session that the file is for. A rejection fails the upload in its own words before anything
   * is sent.
   */
  readonly accountKey: Root | Promise<Root>
  /** Without it the account's own setting holds. */
  readonly expirationMinutes?: number | undefined
  readonly connection: Connection
  readonly openLane: OpenSealLane
  readonly availableMemoryBytes?: number | undefined
  /** Looks at the file as it is now, for one that does not show it by itself. */
  readonly lookAgain?: (() => Promise<Pick<FileSource, 'size' | 'lastModified'>>) | undefined
  /** An upload of this very file that was begun before, to go on with. */
  readonly resumption?: Resumption | undefined
  /** This upload as it was noted while it waited; without it, it is prepared now. */
  readonly noted?: Promise<NotedUpload | null> | undefined
  /** Where it is written down what a later attempt needs; without it, what goes up in one request is not noted, and the rest in memory. */
  readonly openJournal?: OpenJournal | undefined
  readonly line?: Line | undefined
  /** How bytes travel, and what earlier uploads found out about that; requests at first, without it. */
  readonly ways?: WayKeeper | undefined
}

export interface Upload extends Observable<UploadState> {
  /** Stops at once; the server is told afterwards. Does nothing once the upload has ended. */
  cancel(): void
  /** Stops at once and leaves everything as it is, to go on with later. The upload ends as failed. */
  suspend(): void
  /** What another attempt would go on with; null where it would have to begin anew. */
  resumption(): Resumption | null
  /** Settles when nothing of the upload is left to do, the message to the server after a cancel included. Never rejects. */
  readonly finished: Promise<UploadEnd>
}

/** Seals a file and sends it, on its own from here on; whoever is interested watches. */
export function startUpload(start: StartUpload): Upload {
  const state = createSubject<UploadState>({ status: 'waiting' })
  const cancelling = new AbortController()
  const suspending = new AbortController()
  const memory: Memory = { resumption: start.resumption ?? null }
  const finished = run(start, { show: state.set, memory, cancelled: cancelling.signal, suspended: suspending.signal })

  return {
    current: state.current,
    subscribe: state.subscribe,
    cancel() {
      if (cancelling.signal.aborted || isEnd(state.current())) return
      cancelling.abort(new DOMException(uploadTexts.cancelled, 'AbortError'))
      state.set({ status: 'cancelled' })
    },
    suspend: () => suspending.abort(new DOMException(uploadTexts.suspended, 'AbortError')),
    resumption: () => memory.resumption,
    finished,
  }
}

const isEnd = ({ status }: UploadState): boolean => status !== 'waiting' && status !== 'sending'

interface Memory {
  resumption: Resumption | null
}

interface Handling {
  readonly show: (state: UploadState) => void
  readonly memory: Memory
  readonly cancelled: AbortSignal
  readonly suspended: AbortSignal
}

async function run(start: StartUpload, { show, memory, cancelled, suspended }: Handling): Promise<UploadEnd> {
  const call = createCaller(start.connection)
  const signal = AbortSignal.any([cancelled, suspended])
  const tellSafely = (state: UploadState) => {
    if (!cancelled.aborted) show(state)
  }
  let upload: PreparedUpload | undefined
  try {
    const noted = (await start.noted) ?? null
    upload = noted?.upload ?? (await prepare(start))
    memory.resumption ??= noted ?? (await beginJournal(start, upload))
    const fileId = await send({ start, upload, resumption: memory.resumption, call, show: tellSafely, signal })
    signal.throwIfAborted()
    await forget(memory)
    tellSafely({ status: 'done', fileId })
    return { status: 'done', fileId }
  } catch (error) {
    const isLeft = memory.resumption !== null && !cancelled.aborted && (suspended.aborted || mayGoOn(error))
    const resumption = memory.resumption
    if (!isLeft) memory.resumption = null
    const end: UploadEnd = cancelled.aborted
      ? { status: 'cancelled' }
      : { status: 'failed', error: inUploadWords(error) }
    tellSafely(end)
    if (isLeft) return end
    if (upload) await takeBack(call, upload).catch(() => undefined)
    await resumption?.journal.end()
    return end
  }
}

async function prepare(start: StartUpload): Promise<PreparedUpload> {
  if (start.resumption) return reopenUpload(start.resumption.kept, start)
  return prepareUpload(start)
}

async function beginJournal({ openJournal }: StartUpload, upload: PreparedUpload): Promise<Resumption | null> {
  if (!openJournal && (upload.place.kind !== 'account' || upload.plan.isSingle)) return null
  const kept = keptOf(upload)
  return { kept, journal: await (openJournal ?? journalInMemory)(kept) }
}

async function forget(memory: Memory): Promise<void> {
  const resumption = memory.resumption
  memory.resumption = null
  await resumption?.journal.end()
}

interface Sending {
  readonly start: StartUpload
  readonly upload: PreparedUpload
  readonly resumption: Resumption | null
  readonly call: Call
  readonly show: (state: UploadState) => void
  readonly signal: AbortSignal
}

async function send({ start, upload, resumption, call, show, signal }: Sending): Promise<string> {
  const { file, connection, openLane, line = alwaysOpen, ways = createWayKeeper() } = start
  const { clock = systemClock } = connection
  const progress = createUploadProgress(upload.keys.header.plainBytes, clock.now())
  const done = new AbortController()
  const publish = () => show(progress.measure(clock.now(), !line.current()))

  publish()
  repeatEvery(transferLimits.progressEveryMs, publish, { clock, signal: done.signal })
  const unsubscribe = line.subscribe(() => {
    progress.startOver(clock.now())
    publish()
  })
  try {
    return await sendUpload({
      file,
      lookAgain: start.lookAgain,
      upload,
      journal: resumption?.journal ?? null,
      isResumed: start.resumption !== undefined,
      openLane: () => openLane({ file, keys: upload.keys }),
      connection,
      call,
      clock,
      line,
      ways,
      progress,
      signal,
    })
  } finally {
    done.abort()
    unsubscribe()
  }
}
