import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import type { Call } from '../call.ts'
import { ApiError } from '../errors.ts'
import { completionOf } from './complete-upload.ts'
import { cancelAt, completeAt, removeAt } from './place.ts'
import type { PreparedUpload } from './prepare-upload.ts'

const patience = { timeoutMs: transferLimits.completionTimeoutMs }

/** The file that was stored with this envelope, should the answer to its upload have been lost. */
export async function findStoredFile(call: Call, envelope: string, signal?: AbortSignal) {
  const { files: listed } = await call(files.list, {}, { ...patience, signal })
  const file = listed.find(({ encryptedFileKey }) => encryptedFileKey === envelope)
  return file ? { success: true as const, id: file.id, fileId: file.id, message: '' } : null
}

/** Takes back whatever of an upload has reached the server, even when that had already made a file of it. */
export async function takeBack(call: Call, upload: PreparedUpload): Promise<void> {
  const fileId = upload.plan.isSingle ? await idOfSingle(call, upload) : await cancelChunks(call, upload)
  if (fileId !== null) await removeAt(call, upload.place, fileId, patience)
}

const idOfSingle = async (call: Call, { envelope }: PreparedUpload): Promise<string | null> =>
  (await findStoredFile(call, envelope))?.id ?? null

/** Null when nothing is left of the upload, else the id of the file it had become. */
async function cancelChunks(call: Call, upload: PreparedUpload): Promise<string | null> {
  const { place, uploadId } = upload
  try {
    await cancelAt(call, place, uploadId, patience)
    return null
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'UPLOAD_FINISHED')) throw error
  }
  return completeAt(call, place, completionOf(upload), patience)
}
