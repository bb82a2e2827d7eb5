import { ApiError, hasCode } from '@sallyport/client/errors'
import { messageFor } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'

/** The message when a session could not be joined: the server's message where it sent one. */
export function joinErrorMessage(error: unknown, fallback: string): string {
  if (hasCode(error, 'KEY_MODE_MISMATCH', 'SESSION_MISMATCH')) return sessionStrings.protectionMismatch
  const isUnreadable = error instanceof ApiError && error.code === null
  return isUnreadable ? sessionStrings.joinFailedTryAgain : messageFor(error, fallback)
}
