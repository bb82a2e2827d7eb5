import { systemClock } from '@sallyport/client/clock'
import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import { createEncryptedRecordStore, type EncryptedRecordStore } from './encrypted-record-store.ts'
import { allocate, isInUse, openHandle } from './private-handle.ts'
import { createRecordDigestLog, nullSyncFile, type SyncFile } from './record-digest-log.ts'

/** A file in the origin's private file system whose records are encrypted until the file is complete. */
export interface EncryptedFile {
  readonly records: EncryptedRecordStore
  /** Writes everything that was put to the disk, so that it outlives this page. */
  flush(): void
  truncate(length: number): void
  /** Writes the remaining digests and closes the file. */
  close(): void
  remove(): Promise<void>
}

/**
 * Opens a new file for one attempt only: its digests die with this worker, and without them nobody decrypts what a crash
 * leaves on the disk. Rejects where there is no such file system or not enough space.
 */
export async function openTemporaryFile(name: string, keys: FileKeys): Promise<EncryptedFile> {
  const root = await navigator.storage.getDirectory()
  const handle = await openHandle(await root.getFileHandle(name, { create: true }))
  const remove = async () => {
    handle.close()
    await root.removeEntry(name)
  }
  return createEncryptedFile({ keys, bytes: handle, digests: nullSyncFile, close: () => handle.close(), remove })
}

/**
 * Opens the folder with the file and its digests that an earlier attempt left under this name, or creates it. Rejects
 * where there is no such file system or not enough space.
 */
export async function openResumableFile(name: string, keys: FileKeys): Promise<EncryptedFile> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(name, { create: true })
  const opened: FileSystemSyncAccessHandle[] = []
  const close = () => {
    for (const handle of opened) handle.close()
  }
  const remove = async () => {
    close()
    await root.removeEntry(name, { recursive: true })
  }
  const open = async (entry: string): Promise<FileSystemSyncAccessHandle> => {
    const handle = await openHandle(await folder.getFileHandle(entry, { create: true }))
    opened.push(handle)
    return handle
  }

  try {
    const [bytes, digests] = [await open('bytes'), await open('notes')]
    return await createEncryptedFile({ keys, bytes, digests, close, remove })
  } catch (error) {
    if (isInUse(error)) close()
    else await remove().catch((error) => ignore(error, 'a later visit removes it'))
    throw error
  }
}

interface EncryptedFileInput {
  readonly keys: FileKeys
  readonly bytes: FileSystemSyncAccessHandle
  readonly digests: SyncFile & { flush(): void }
  readonly close: () => void
  readonly remove: () => Promise<void>
}

async function createEncryptedFile({
  keys,
  bytes,
  digests,
  close,
  remove,
}: EncryptedFileInput): Promise<EncryptedFile> {
  const { plainBytes } = keys.header
  try {
    const digestLog = createRecordDigestLog(digests, keys, systemClock)
    if (bytes.getSize() !== plainBytes) {
      digestLog.clear()
      await allocate(bytes, plainBytes)
    }
    return {
      records: createEncryptedRecordStore({ bytes, digestLog, keys }),
      flush() {
        bytes.flush()
        digestLog.flush()
        digests.flush()
      },
      truncate: (length) => bytes.truncate(length),
      close() {
        digestLog.flush()
        close()
      },
      remove,
    }
  } catch (error) {
    await remove().catch((error) => ignore(error, 'a later visit removes it'))
    throw error
  }
}
