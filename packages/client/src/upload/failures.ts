import { isTimeout } from '../clock.ts'
import { ApiError, NetworkError } from '../errors.ts'
import { FileChangedError, FileDiffersError } from './file-source.ts'
import { uploadTexts } from './texts.ts'

/** Answers that another attempt may change. */
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether it makes sense to try again what failed like this. A limit of the account does not pass by waiting. */
export function mayPass(error: unknown): boolean {
  if (error instanceof FileChangedError || error instanceof FileDiffersError) return false
  if (!(error instanceof ApiError)) return true
  return passingStatuses.has(error.status) && error.code !== 'TOO_MANY_UPLOADS'
}

/** Answers that end an attempt, but not what has arrived: a sign-in or a licence that is over, and chunks that are missing. */
const leavesRest = new Set([401, 402])

/** Whether what has arrived of an upload is worth keeping after it failed like this. */
export function mayGoOn(error: unknown): boolean {
  if (error instanceof FileDiffersError) return true
  if (!(error instanceof ApiError)) return mayPass(error)
  return mayPass(error) || leavesRest.has(error.status) || error.code === 'UPLOAD_INCOMPLETE'
}

/** The server's own sentence where it gave one, else what the specification says for this failure. */
export function inUploadWords(error: unknown): Error {
  if (error instanceof ApiError) {
    const isUnreadable = error.code === null && error.status >= 300
    return isUnreadable ? new ApiError({ ...error, message: uploadTexts.status(error.status) }) : error
  }
  if (error instanceof NetworkError) return new NetworkError(uploadTexts.network, { cause: error })
  if (isTimeout(error)) return new Error(uploadTexts.incomplete, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
