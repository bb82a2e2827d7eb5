import { isTimeout } from '@sallyport/client/clock'
import { ApiError, ClientError, hasCode, transientStatuses } from '@sallyport/client/errors'
import { toError } from '../transfer.ts'

/** Whether a retry may succeed after this error. A limit of the account does not go away by waiting. */
export function isTransient(error: unknown): boolean {
  if (hasCode(error, 'FILE_CHANGED', 'FILE_DIFFERS')) return false
  if (!(error instanceof ApiError)) return true
  return transientStatuses.has(error.status) && error.code !== 'TOO_MANY_UPLOADS'
}

/** Whether something between the client and the server answered in its place, such as a proxy with a page of its own. */
export const isForeignAnswer = (error: unknown): boolean => error instanceof ApiError && error.code === null

/** Whether an intermediary rejected a request because of the size of its body. */
export const isBodyRejected = (error: unknown): boolean =>
  error instanceof ApiError && error.code === null && error.status === 413

/** Statuses that end an attempt but not the upload: an expired auth session (401) or licence (402). */
const resumableStatuses = new Set([401, 402])

/** Whether the chunks that have arrived are worth keeping after this error, so that the user can retry later. */
export function isRetryable(error: unknown): boolean {
  if (hasCode(error, 'FILE_DIFFERS')) return true
  if (!(error instanceof ApiError)) return isTransient(error)
  if (isForeignAnswer(error)) return true
  return isTransient(error) || resumableStatuses.has(error.status) || error.code === 'UPLOAD_INCOMPLETE'
}

/** Turns a timeout of the completion into its own error, and everything else that was thrown into an `Error`. */
export function toUploadError(error: unknown): Error {
  if (isTimeout(error)) return new ClientError('UPLOAD_NOT_CONFIRMED', { cause: error })
  return toError(error)
}
