import { runInWorker } from '@sallyport/browser/task-port'
import { ignore } from '@sallyport/contract/ignore'
import type { FileMetadata } from '../../engine/upload/file-source.ts'
import type { PreparedUpload } from '../../engine/upload/prepare-upload.ts'
import pastedFileWorkerUrl from '../workers/pasted-file.worker.ts?worker&url'
import type { PastedFileTasks } from '../workers/tasks.ts'
import { readPastedCiphertext } from './upload-store.ts'
import type { UploadStoreWriter } from './upload-store-writer.ts'

/**
 * Pasted files exist on no disk, so their bytes are stored for a later visit, up to these limits per file and in total.
 */
const maxFileBytes = 8 * 1024 * 1024
const maxTotalBytes = 64 * 1024 * 1024

interface StorePastedFileInput {
  readonly writer: UploadStoreWriter
  readonly upload: Pick<PreparedUpload, 'uploadId' | 'keys'>
  readonly file: File
}

/** Encrypts a pasted file under its upload's keys and stores it next to the persisted upload. Never rejects. */
export async function storePastedFile({ writer, upload, file }: StorePastedFileInput): Promise<void> {
  const { uploadId, keys } = upload
  if (file.size > maxFileBytes) return
  try {
    const sealed = await runInWorker(pastedFileWorkerUrl, 'pasted-file', (tasks: PastedFileTasks) =>
      tasks.encrypt(keys, file),
    )
    await writer.write(async (transaction) => {
      const store = transaction.objectStore('uploads')
      const heldIds = await transaction.objectStore('held').getAllKeys()
      const [entry, ...held] = await Promise.all([uploadId, ...heldIds].map((id) => store.get(id)))
      const heldBytes = held.reduce((sum, one) => sum + (one?.heldBytes ?? 0), 0)
      if (!entry || heldBytes + file.size > maxTotalBytes) return
      await transaction.objectStore('held').put(sealed, uploadId)
      await store.put({ ...entry, heldBytes: file.size })
    })
  } catch (error) {
    ignore(error, 'at the next visit the user is asked to paste the file again')
  }
}

/** Decrypts a stored pasted file. Returns null where none is stored, and rejects where it is damaged. */
export async function readPastedFile({ uploadId, keys }: PreparedUpload, metadata: FileMetadata): Promise<File | null> {
  const sealed = await readPastedCiphertext(uploadId)
  if (!sealed) return null
  const plain = await runInWorker(pastedFileWorkerUrl, 'pasted-file', (tasks: PastedFileTasks) =>
    tasks.decrypt(keys, sealed),
  )
  return new File([plain], metadata.name, { type: metadata.type, lastModified: metadata.lastModified })
}
