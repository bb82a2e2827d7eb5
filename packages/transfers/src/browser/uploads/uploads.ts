import { runInWorker } from '@sallyport/browser/task-port'
import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { smallFileBytes } from '@sallyport/contract/limits'
import { importRootKey, type RootKey } from '@sallyport/crypto'
import type { FindRootKey } from '../../engine/file-name.ts'
import type { UploadDestination } from '../../engine/upload/destination.ts'
import { type FileSource, fullNameOf } from '../../engine/upload/file-source.ts'
import type { PersistedUpload } from '../../engine/upload/journal.ts'
import {
  type PendingUpload,
  type PrepareUploadInput,
  prepareUpload,
  toPersistedUpload,
} from '../../engine/upload/prepare-upload.ts'
import { openPendingUpload } from '../../engine/upload/reopen-upload.ts'
import { createTransportSelector, requestsOnly } from '../../engine/upload/transport.ts'
import { startUpload } from '../../engine/upload/upload.ts'
import { createUploadQueue, type UploadInput, type UploadQueue } from '../../engine/upload/upload-queue.ts'
import { guardUnload } from '../guard-unload.ts'
import { keepAwake } from '../keep-awake.ts'
import { clearFinished } from '../watch-transfers.ts'
import encryptWorkerUrl from '../workers/encrypt.worker.ts?worker&url'
import type { EncryptTasks } from '../workers/tasks.ts'
import { openEncryptWorker } from './encrypt-workers.ts'
import { locatorOf, readFromLocator } from './file-handles.ts'
import { isPastedFile, type NewUpload, type PersistedUploads } from './persisted-uploads.ts'

/** A file of up to 1 MB costs more time in round trips than in transfer. */
const smallFiles = { concurrency: 4, maxBytes: 1024 * 1024 }

/**
 * From this many files on, a worker prepares them. The memory that it takes to derive keys is freed with the worker; in the
 * page it would remain until a garbage collection.
 */
const minFilesPerWorker = 50

interface UploadsDeps {
  readonly connection: Connection
  /**
   * The root key of the account, or of the session that receives the files. Rejects with a user-facing error where
   * there is none.
   */
  readonly rootKey: () => Promise<RootKey>
  /** The root key under which a resumed upload began; `rootKey` by default. */
  readonly findRootKey?: FindRootKey
  /** The account by default. */
  readonly destination?: UploadDestination
  /** Persists uploads so that they can be resumed at a later visit. */
  readonly persistence?: UploadPersistence
  /** Called with each upload that starts, and the name that it encrypts. */
  readonly onPrepared?: (upload: PersistedUpload, name: string) => void
}

interface UploadPersistence {
  readonly persistedUploads: PersistedUploads
  /** Called when a resumable upload has left the list. */
  readonly onReleased: () => void
}

/**
 * Manages the uploads of this page. They continue on every screen, and finished ones are removed from the list
 * automatically.
 */
export function createUploads({
  connection,
  rootKey,
  findRootKey = rootKey,
  destination,
  persistence,
  onPrepared,
}: UploadsDeps): UploadQueue {
  const { clock = systemClock } = connection
  const transports = createTransportSelector()

  function prepareInputOf({ file, expirationMinutes }: UploadInput, root: RootKey): PrepareUploadInput {
    return { destination, file, rootKey: root, expirationMinutes, availableMemoryBytes: availableMemoryBytesFor(file) }
  }

  async function prepareHere(input: UploadInput, root: RootKey) {
    const upload = await prepareUpload(prepareInputOf(input, root))
    return { file: input.file, upload, persisted: toPersistedUpload(upload), keys: upload.keys }
  }

  async function prepareInWorker(inputs: readonly UploadInput[], root: RootKey): Promise<readonly NewUpload[]> {
    const described = inputs.map((input) => describeFile(prepareInputOf(input, root)))
    const prepared = await runInWorker(encryptWorkerUrl, 'encrypt', ({ prepare }: EncryptTasks) => prepare(described))
    return prepared.flatMap((persisted, index) => {
      const file = inputs[index]?.file
      return file ? { persisted, file } : []
    })
  }

  /** Persists uploads that wait. */
  async function persistWaiting(persistedUploads: PersistedUploads, inputs: readonly UploadInput[]) {
    const root = await importRootKey(await rootKey())
    const isInWorker = inputs.length >= minFilesPerWorker && !inputs.some(({ file }) => isPastedFile(file))
    const prepared = isInWorker
      ? await prepareInWorker(inputs, root)
      : await Promise.all(inputs.map((input) => prepareHere(input, root)))
    await persistedUploads.persist(prepared)
    return prepared.map(({ persisted }) => persisted.uploadId)
  }

  /** Persists an upload that starts immediately. */
  async function persistOne(persistedUploads: PersistedUploads, input: UploadInput): Promise<PendingUpload | null> {
    const prepared = await prepareHere(input, await rootKey())
    const [resumption] = await persistedUploads.persist([prepared])
    return resumption ? { ...resumption, upload: prepared.upload } : null
  }

  /** Opens the record of an upload that waited; one that could not be written is prepared again. */
  async function openWaiting(persistedUploads: PersistedUploads, input: UploadInput): Promise<PendingUpload | null> {
    const uploadId = await input.pending
    const resumption = uploadId ? await persistedUploads.find(uploadId) : null
    if (!resumption) return persistOne(persistedUploads, input)
    const { persisted } = resumption
    const upload = await openPendingUpload(persisted, input.file, await findRootKey(persisted.envelope), destination)
    return { ...resumption, upload }
  }

  async function pendingOf(input: UploadInput): Promise<PendingUpload | null> {
    if (!persistence || input.resumption) return null
    const { persistedUploads } = persistence
    const pending = await (input.pending ? openWaiting : persistOne)(persistedUploads, input)
    if (pending) onPrepared?.(pending.persisted, fullNameOf(input.file))
    return pending
  }

  const uploads = createUploadQueue({
    clock,
    smallFiles,
    waitingUploads: persistence && {
      persist: (inputs) => persistWaiting(persistence.persistedUploads, inputs),
      remove: (uploadId) => void persistence.persistedUploads.remove([uploadId]),
    },
    startUpload: (input) =>
      startUpload({
        ...input,
        rootKey: input.resumption ? findRootKey(input.resumption.persisted.envelope) : rootKey(),
        destination,
        availableMemoryBytes: availableMemoryBytesFor(input.file),
        connection,
        createWorker: openEncryptWorker,
        statFile: () => statFile(input.file),
        pending: pendingOf(input),
        transports: destination ? requestsOnly(transports) : transports,
      }),
  })

  clearFinished(uploads)
  guardUnload(uploads, isAnyActive)
  keepAwake(uploads, isAnyActive)
  return {
    ...uploads,
    dismiss(id) {
      const { resumableId = null, size = 0 } = uploads.find(id) ?? {}
      uploads.dismiss(id)
      if (resumableId === null || uploads.find(id) || !persistence) return
      // Nothing of a small file is stored on the server, so dismissing a failed one discards it.
      if (!destination && size < smallFileBytes) void persistence.persistedUploads.remove([resumableId])
      else void persistence.persistedUploads.release(resumableId).then(persistence.onReleased)
    },
  }
}

/** Only the metadata, because it costs time to post a `File` to a worker. */
function describeFile({ file, ...input }: PrepareUploadInput): PrepareUploadInput {
  const { name, path, type, size, lastModified } = file
  return { ...input, file: { name, path, type, size, lastModified } }
}

/**
 * Reads the current metadata of a file, because a `File` from a handle is a snapshot. A deleted file counts as changed.
 */
async function statFile(file: FileSource): Promise<Pick<FileSource, 'size' | 'lastModified'>> {
  const handle = file instanceof File ? await locatorOf(file) : null
  try {
    return handle ? await readFromLocator(handle) : file
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return { size: 0, lastModified: 0 }
    return file
  }
}

/**
 * How much more memory this page may use; unknown in browsers other than Chromium. Not measured for a small file, because
 * that takes longer than to encrypt it.
 */
function availableMemoryBytesFor({ size }: FileSource): number | undefined {
  if (size < smallFileBytes) return undefined
  const { memory } = performance as Performance & { memory?: { jsHeapSizeLimit: number; usedJSHeapSize: number } }
  return memory && memory.jsHeapSizeLimit - memory.usedJSHeapSize
}

const isAnyActive = (items: ReturnType<UploadQueue['current']>): boolean =>
  items.some(({ state }) => state.status === 'sending' || state.status === 'waiting')
