import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { smallFileBytes } from '@sallyport/contract/limits'
import type { RootKey } from '@sallyport/crypto'
import type { FindRootKey } from '../../engine/file-name.ts'
import type { UploadDestination } from '../../engine/upload/destination.ts'
import { type FileSource, fullNameOf } from '../../engine/upload/file-source.ts'
import { type PreparedUpload, prepareUpload } from '../../engine/upload/prepare-upload.ts'
import { createTransportSelector, requestsOnly } from '../../engine/upload/transport.ts'
import { startUpload } from '../../engine/upload/upload.ts'
import { createUploadQueue, type UploadInput, type UploadQueue } from '../../engine/upload/upload-queue.ts'
import { guardUnload } from '../guard-unload.ts'
import { keepAwake } from '../keep-awake.ts'
import { clearFinished } from '../watch-transfers.ts'
import { openEncryptWorker } from './encrypt-workers.ts'
import { locatorOf, readFromLocator } from './file-handles.ts'
import type { PersistedUploads } from './persisted-uploads.ts'

/** A file of up to 1 MB costs more time in round trips than in transfer. */
const smallFiles = { concurrency: 4, maxBytes: 1024 * 1024 }

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
  /** Called with each upload that is persisted before it starts, and the name that it encrypts. */
  readonly onPrepared?: (upload: PreparedUpload, name: string) => void
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

  async function persistAhead(persistedUploads: PersistedUploads, inputs: readonly UploadInput[]) {
    const root = await rootKey()
    const prepared = await Promise.all(
      inputs.map(async ({ file, expirationMinutes }) => ({
        upload: await prepareUpload({
          destination,
          file,
          rootKey: root,
          expirationMinutes,
          availableMemoryBytes: availableMemoryBytesFor(file),
        }),
        file,
      })),
    )
    for (const { upload, file } of prepared) onPrepared?.(upload, fullNameOf(file))
    return persistedUploads.persist(prepared)
  }

  const persistOne = async (persistedUploads: PersistedUploads, input: UploadInput) =>
    (await persistAhead(persistedUploads, [input]))[0] ?? null

  const uploads = createUploadQueue({
    clock,
    smallFiles,
    persistPending: persistence && ((wanted) => persistAhead(persistence.persistedUploads, wanted)),
    startUpload: (input) =>
      startUpload({
        ...input,
        rootKey: input.resumption ? findRootKey(input.resumption.persisted.envelope) : rootKey(),
        destination,
        availableMemoryBytes: availableMemoryBytesFor(input.file),
        connection,
        createWorker: openEncryptWorker,
        statFile: () => statFile(input.file),
        // An upload that starts immediately was not persisted while it waited.
        pending:
          input.pending ??
          (persistence && !input.resumption ? persistOne(persistence.persistedUploads, input) : undefined),
        transports: destination ? requestsOnly(transports) : transports,
      }),
  })

  clearFinished(uploads)
  guardUnload(uploads, isAnyActive)
  keepAwake(uploads, isAnyActive)
  return {
    ...uploads,
    dismiss(id) {
      const { resumableId = null, size = 0 } = uploads.current().find((item) => item.id === id) ?? {}
      uploads.dismiss(id)
      const isRemoved = !uploads.current().some((item) => item.id === id)
      if (resumableId === null || !isRemoved || !persistence) return
      // Nothing of a small file is stored on the server, so dismissing a failed one discards it.
      if (!destination && size < smallFileBytes) void persistence.persistedUploads.remove([resumableId])
      else void persistence.persistedUploads.release(resumableId).then(persistence.onReleased)
    },
  }
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
