import { ApiError, hasCode } from '@sallyport/client/errors'
import { errorMessage } from '#/lib/api/error-message.ts'
import { sessionStrings } from '#/strings/sessions.ts'

/** The message when a session could not be joined: the server's message where it sent one. */
export function joinErrorMessage(error: unknown, fallback: string): string {
  if (hasCode(error, 'KEY_MODE_MISMATCH', 'SESSION_MISMATCH')) return sessionStrings.protectionMismatch
  const isUnreadable = error instanceof ApiError && error.code === null
  return isUnreadable ? sessionStrings.joinFailedTryAgain : errorMessage(error, fallback)
}
