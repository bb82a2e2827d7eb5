import type { Call, CallOptions } from '@sallyport/client/call'
import { runWhileOnline } from '@sallyport/client/connectivity'
import { ApiError, ClientError } from '@sallyport/client/errors'
import { files } from '@sallyport/contract/files'
import { transferLimits } from '@sallyport/contract/limits'
import { sessionFiles } from '@sallyport/contract/session-files'
import { tokenHeaders, type UploadDestination } from './destination.ts'
import { isForeignAnswer, isTransient, toUploadError } from './errors.ts'
import type { PreparedUpload } from './prepare-upload.ts'
import type { UploadRun } from './upload-run.ts'

type UploadStatus =
  | { readonly state: 'open'; readonly stored: ReadonlySet<number> }
  | { readonly state: 'finished'; readonly fileId: string }

const noChunksStored: UploadStatus = { state: 'open', stored: new Set() }
const timeout = { timeoutMs: transferLimits.completionTimeoutMs }

/** Completes an upload after all chunks have arrived, with retries; returns the id of the file. */
export async function completeUpload({ upload, call, clock, connectivity, signal }: UploadRun): Promise<string> {
  for (const delayMs of [...transferLimits.retryDelaysMs.slice(0, 2), null]) {
    try {
      const attempt = (attemptSignal: AbortSignal) =>
        requestCompletion(call, upload, { ...timeout, signal: attemptSignal })
      return await runWhileOnline(connectivity, signal, attempt, 1)
    } catch (error) {
      const mayRetry = isTransient(error) || isForeignAnswer(error)
      if (signal.aborted || delayMs === null || !mayRetry) throw toUploadError(error)
      await clock.wait(delayMs, signal)
    }
  }
  throw new ClientError('UPLOAD_NOT_CONFIRMED')
}

/** Turns the chunks into a file; returns its id. The call is idempotent: a repeated one returns the same file. */
async function requestCompletion(call: Call, upload: PreparedUpload, options: CallOptions): Promise<string> {
  const { destination, plan, expirationMinutes } = upload
  const body = {
    uploadId: upload.uploadId,
    fileName: upload.sealedName,
    encryptedFileKey: upload.envelope,
    totalChunks: plan.chunkCount,
    chunkSize: plan.chunkBytes,
    ...(expirationMinutes !== undefined && { fileExpirationMinutes: expirationMinutes }),
  }
  if (destination.kind === 'account') return (await call(files.completeUpload, { body }, options)).fileId
  const input = { params: { id: destination.id }, headers: tokenHeaders(destination), body }
  return (await call(sessionFiles.completeUpload, input, options)).fileId
}

/** Returns the server's status of an upload; an upload that the server does not know is open and has no chunks. */
export async function getUploadStatus(call: Call, upload: PreparedUpload, signal: AbortSignal): Promise<UploadStatus> {
  const options = { ...timeout, signal }
  if (upload.plan.isSingle) {
    const found = await findStoredFile(call, upload.envelope, signal)
    return found ? { state: 'finished', fileId: found.id } : noChunksStored
  }
  try {
    const { received } = await getOpenUpload(call, upload, options)
    const { chunkCount } = upload.plan
    return { state: 'open', stored: new Set(received.flatMap((range) => chunkIndexesIn(range, chunkCount))) }
  } catch (error) {
    if (!hasApiCode(error, 'UPLOAD_NOT_FOUND')) throw error
  }
  try {
    return { state: 'finished', fileId: await requestCompletion(call, upload, options) }
  } catch (error) {
    if (hasApiCode(error, 'UPLOAD_NOT_FOUND')) return noChunksStored
    throw error
  }
}

function getOpenUpload(call: Call, { destination, uploadId }: PreparedUpload, options: CallOptions) {
  if (destination.kind === 'account') return call(files.openUpload, { params: { uploadId } }, options)
  const params = { id: destination.id, uploadId }
  return call(sessionFiles.openUpload, { params, headers: tokenHeaders(destination) }, options)
}

/** The indexes of a range that are chunks of this upload: the server may send any range, of any length. */
function chunkIndexesIn([from, to]: readonly [number, number], chunkCount: number): number[] {
  const first = Math.max(0, from)
  const count = Math.min(to, chunkCount - 1) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index)
}

/** Finds the file that was stored with this envelope, in case the response to its upload was lost. */
export async function findStoredFile(call: Call, envelope: string, signal?: AbortSignal) {
  const { files: listed } = await call(files.list, {}, { ...timeout, signal })
  const file = listed.find(({ encryptedFileKey }) => encryptedFileKey === envelope)
  return file ? { success: true as const, id: file.id, fileId: file.id, message: '' } : null
}

/** Deletes whatever has reached the server of an upload, even if it is a file already. */
export async function rollBack(call: Call, upload: PreparedUpload): Promise<void> {
  const { destination } = upload
  const id = upload.plan.isSingle ? (await findStoredFile(call, upload.envelope))?.id : await cancelChunks(call, upload)
  if (id === undefined) return
  if (destination.kind === 'account') await call(files.remove, { params: { id } }, timeout)
  else {
    const input = { params: { fileId: id }, headers: tokenHeaders(destination), query: {} }
    await call(sessionFiles.remove, input, timeout)
  }
}

/** Returns nothing if nothing remains of the upload, otherwise the id of the file that it became. */
async function cancelChunks(call: Call, upload: PreparedUpload): Promise<string | undefined> {
  try {
    await cancelUpload(call, upload.destination, upload.uploadId, timeout)
    return
  } catch (error) {
    if (!hasApiCode(error, 'UPLOAD_FINISHED')) throw error
  }
  return requestCompletion(call, upload, timeout)
}

/** Cancels an upload and releases its reserved quota. Rejects with `UPLOAD_FINISHED` once it is a file. */
export async function cancelUpload(
  call: Call,
  destination: UploadDestination,
  uploadId: string,
  options: CallOptions = {},
): Promise<void> {
  if (destination.kind === 'account') return void (await call(files.cancelUpload, { params: { uploadId } }, options))
  const params = { id: destination.id, uploadId }
  await call(sessionFiles.cancelUpload, { params, headers: tokenHeaders(destination) }, options)
}

const hasApiCode = (error: unknown, code: ApiError['code']): boolean => error instanceof ApiError && error.code === code
