import { type Connection, createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { alwaysOnline } from '@sallyport/client/connectivity'
import { ClientError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import { createTransferControl, withProgress } from '../transfer.ts'
import type { CreateEncryptWorker } from './encrypt-worker.ts'
import { isBodyRejected, isRetryable, toUploadError } from './errors.ts'
import type { FileSource } from './file-source.ts'
import { type OpenJournal, openMemoryJournal } from './journal.ts'
import { planInRecords } from './plan.ts'
import {
  createUploadId,
  type PendingUpload,
  type PreparedUpload,
  type PrepareUploadInput,
  prepareUpload,
  type Resumption,
  toPersistedUpload,
} from './prepare-upload.ts'
import { reopenUpload } from './reopen-upload.ts'
import { sendUpload } from './send-upload.ts'
import { rollBack } from './server-upload.ts'
import { createTransportSelector, type TransportSelector } from './transport.ts'
import type { UploadEnd, UploadState } from './upload-progress.ts'
import { createUploadProgress } from './upload-progress.ts'
import type { UploadRun } from './upload-run.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface StartUploadInput extends PrepareUploadInput {
  readonly file: FileSource
  readonly connection: Connection
  readonly createWorker: CreateEncryptWorker
  /** Reads the current metadata of the file, for a source whose own metadata is a snapshot. */
  readonly statFile?: (() => Promise<Pick<FileSource, 'size' | 'lastModified'>>) | undefined
  /** An interrupted upload of this very file, to resume. */
  readonly resumption?: Resumption | undefined
  /** This upload as it was persisted while it waited; without it, it is prepared now. */
  readonly pending?: Promise<PendingUpload | null> | undefined
  /**
   * Persists what a later attempt needs. Without it, chunked uploads have a journal in memory and single-request
   * uploads none.
   */
  readonly openJournal?: OpenJournal | undefined
  /** Selects the transport and remembers what earlier uploads learned; without it, requests are tried first. */
  readonly transports?: TransportSelector | undefined
}

export interface Upload extends Observable<UploadState> {
  /** Stops at once; the server is notified afterwards. Does nothing once the upload has ended. */
  cancel(): void
  /** Stops at once and leaves the upload resumable. It ends as failed. */
  suspend(): void
  /** What another attempt would resume; null if it would have to start over. */
  resumption(): Resumption | null
  /** Resolves when all work is done, including the notification of the server after a cancel. Never rejects. */
  readonly finished: Promise<UploadEnd>
}

/** Starts to seal and send a file; the state is observable. */
export function startUpload(input: StartUploadInput): Upload {
  const { signal: cancelled, setState, ...shown } = createTransferControl<UploadState>('The upload was cancelled')
  const suspending = new AbortController()
  const resumptionRef: ResumptionRef = { current: input.resumption ?? null }
  return {
    ...shown,
    suspend: () => suspending.abort(new ClientError('UPLOAD_INTERRUPTED')),
    resumption: () => resumptionRef.current,
    finished: runUpload(input, { setState, resumptionRef, cancelled, suspended: suspending.signal }),
  }
}

interface ResumptionRef {
  current: Resumption | null
}

interface RunUploadContext {
  readonly setState: (state: UploadState) => void
  readonly resumptionRef: ResumptionRef
  readonly cancelled: AbortSignal
  readonly suspended: AbortSignal
}

async function runUpload(input: StartUploadInput, context: RunUploadContext): Promise<UploadEnd> {
  const { setState, resumptionRef, cancelled, suspended } = context
  const call = createCaller(input.connection)
  const transports = input.transports ?? createTransportSelector()
  const signal = AbortSignal.any([cancelled, suspended])
  let upload: PreparedUpload | undefined

  /** Sends the file; again in the smallest chunks if an intermediary rejects the size of a body. */
  async function sendFitting(prepared: PreparedUpload): Promise<string> {
    const isNew = input.resumption === undefined
    let current = isNew && transports.hasSmallBodies() ? await startOver(prepared) : prepared
    for (;;) {
      try {
        const { current: resumption } = resumptionRef
        return await sendWithProgress(input, { upload: current, resumption, transports, call, setState, signal })
      } catch (error) {
        if (signal.aborted || !isBodyRejected(error)) throw error
        transports.setSmallBodies()
        await rollBack(call, current).catch((error) => ignore(error, 'the server deletes the chunks later'))
        const smaller = await startOver(current)
        if (smaller === current) throw new ClientError('UPLOAD_BODY_REJECTED', { cause: error })
        current = smaller
      }
    }
  }

  /** Replaces an upload by one of the same file in the smallest chunks; returns the same if it has no larger ones. */
  async function startOver(previous: PreparedUpload): Promise<PreparedUpload> {
    const plan = planInRecords(previous.keys.header, previous.plan)
    if (!plan) return previous
    await resumptionRef.current?.journal.delete()
    const next = { ...previous, uploadId: createUploadId(), plan }
    upload = next
    resumptionRef.current = await openUploadJournal(input, next)
    return next
  }

  try {
    const pending = (await input.pending) ?? null
    upload = pending?.upload ?? (await prepare(input))
    resumptionRef.current ??= pending ?? (await openUploadJournal(input, upload))
    const fileId = await sendFitting(upload)
    signal.throwIfAborted()
    const { current: completed } = resumptionRef
    resumptionRef.current = null
    await completed?.journal.delete()
    setState({ status: 'done', fileId })
    return { status: 'done', fileId }
  } catch (error) {
    const isResumable =
      resumptionRef.current !== null && !cancelled.aborted && (suspended.aborted || isRetryable(error))
    const resumption = resumptionRef.current
    if (!isResumable) resumptionRef.current = null
    const end: UploadEnd = cancelled.aborted
      ? { status: 'cancelled' }
      : { status: 'failed', error: toUploadError(error) }
    setState(end)
    if (isResumable) return end
    if (upload) await rollBack(call, upload).catch((error) => ignore(error, 'the server deletes the chunks later'))
    await resumption?.journal.delete()
    return end
  }
}

const prepare = (input: StartUploadInput): Promise<PreparedUpload> =>
  input.resumption ? reopenUpload(input.resumption.persisted, input) : prepareUpload(input)

async function openUploadJournal(
  { openJournal }: StartUploadInput,
  upload: PreparedUpload,
): Promise<Resumption | null> {
  if (!openJournal && (upload.destination.kind !== 'account' || upload.plan.isSingle)) return null
  const persisted = toPersistedUpload(upload)
  return { persisted, journal: await (openJournal ?? openMemoryJournal)(persisted) }
}

interface SendContext extends Pick<UploadRun, 'upload' | 'transports' | 'call' | 'signal'> {
  readonly resumption: Resumption | null
  readonly setState: (state: UploadState) => void
}

async function sendWithProgress(
  input: StartUploadInput,
  { upload, resumption, transports, call, setState, signal }: SendContext,
): Promise<string> {
  const { file, connection, statFile } = input
  const { clock = systemClock, connectivity = alwaysOnline } = connection
  const { keys, lastModified } = upload
  const progress = createUploadProgress(keys.header.plainBytes, clock.now())
  const publish = () => setState(progress.measure(clock.now(), !connectivity.current()))
  const unsubscribe = connectivity.subscribe(() => {
    progress.resetSpeed(clock.now())
    publish()
  })
  async function verifyUnchanged(): Promise<void> {
    const current = (await statFile?.()) ?? file
    const isSame = current.size === keys.header.plainBytes && current.lastModified === lastModified
    if (!isSame) throw new ClientError('FILE_CHANGED')
  }
  const workerPool = createWorkerPool(() => input.createWorker({ file, keys }))
  try {
    return await withProgress(clock, publish, async () => {
      const journal = resumption?.journal ?? (await openMemoryJournal(toPersistedUpload(upload)))
      const shared = { connection, call, clock, connectivity, transports, progress, signal }
      const isResumed = input.resumption !== undefined
      return sendUpload({ file, upload, journal, workerPool, ...shared }, { isResumed, verifyUnchanged })
    })
  } finally {
    workerPool.closeAll()
    unsubscribe()
  }
}
