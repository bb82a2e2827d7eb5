import { transferLimits } from '@sallyport/contract/limits'
import { type Root, toBase64url } from '@sallyport/crypto'
import { type Connection, createCaller } from '../call.ts'
import { repeatEvery, systemClock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { inUploadWords } from './failures.ts'
import { FileChangedError, type FileSource } from './file-source.ts'
import type { UploadPlace } from './place.ts'
import { type PreparedUpload, prepareUpload } from './prepare-upload.ts'
import type { OpenSealLane } from './seal-lane.ts'
import { sendFile } from './send-file.ts'
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
  /** How bytes travel, and what earlier uploads found out about that; requests at first, without it. */
  readonly ways?: WayKeeper | undefined
}

export interface Upload extends Observable<UploadState> {
  /** The upload's id, on the wire too. */
  readonly id: string
  /** Stops at once; the server is told afterwards. Does nothing once the upload has ended. */
  cancel(): void
  /** Settles when nothing of the upload is left to do, the message to the server after a cancel included. Never rejects. */
  readonly finished: Promise<UploadEnd>
}

/** Seals a file and sends it, on its own from here on; whoever is interested watches. */
export function startUpload(start: StartUpload): Upload {
  const state = createSubject<UploadState>({ status: 'waiting' })
  const stop = new AbortController()
  const id = toBase64url(crypto.getRandomValues(new Uint8Array(16)))
  const finished = run({ ...start, uploadId: id }, state.set, stop.signal)

  return {
    id,
    current: state.current,
    subscribe: state.subscribe,
    cancel() {
      if (stop.signal.aborted || isEnd(state.current())) return
      stop.abort(new DOMException(uploadTexts.cancelled, 'AbortError'))
      state.set({ status: 'cancelled' })
    },
    finished,
  }
}

const isEnd = ({ status }: UploadState): boolean => status !== 'waiting' && status !== 'sending'

type Start = StartUpload & { readonly uploadId: string }

async function run(start: Start, show: (state: UploadState) => void, signal: AbortSignal): Promise<UploadEnd> {
  const call = createCaller(start.connection)
  const tellSafely = (state: UploadState) => {
    if (!signal.aborted) show(state)
  }
  let upload: PreparedUpload | undefined
  try {
    upload = await prepareUpload(start)
    const fileId = await send({ start, upload, show: tellSafely, signal })
    signal.throwIfAborted()
    tellSafely({ status: 'done', fileId })
    return { status: 'done', fileId }
  } catch (error) {
    const end: UploadEnd = signal.aborted ? { status: 'cancelled' } : { status: 'failed', error: inUploadWords(error) }
    tellSafely(end)
    if (upload) await takeBack(call, upload).catch(() => undefined)
    return end
  }
}

interface Sending {
  readonly start: StartUpload
  readonly upload: PreparedUpload
  readonly show: (state: UploadState) => void
  readonly signal: AbortSignal
}

async function send({ start, upload, show, signal }: Sending): Promise<string> {
  const { file, connection, openLane, ways = createWayKeeper() } = start
  const { clock = systemClock } = connection
  const { plainBytes } = upload.keys.header
  const progress = createUploadProgress(plainBytes, clock.now())
  const done = new AbortController()
  const publish = () => show(progress.measure(clock.now()))

  publish()
  repeatEvery(transferLimits.progressEveryMs, publish, { clock, signal: done.signal })
  try {
    return await sendFile({
      upload,
      openLane: () => openLane({ file, keys: upload.keys }),
      connection,
      call: createCaller(connection),
      clock,
      progress,
      ways,
      checkFile() {
        if (file.size !== plainBytes || file.lastModified !== upload.lastModified) throw new FileChangedError()
      },
      signal,
    })
  } finally {
    done.abort()
  }
}
