import { ApiError, hasCode } from '@sallyport/client/errors'
import { messageFor } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'

/** The message for an error of a session: the fallback where the server sent none. */
export const sessionErrorMessage = (error: unknown, fallback: string): string =>
  messageFor(error, fallback, (described) => (isWithoutMessage(described) ? fallback : undefined))

/** The message when a session could not be created. */
export const createErrorMessage = (error: unknown): string =>
  isMismatch(error) ? sessionStrings.protectionMismatch : sessionErrorMessage(error, sessionStrings.createFailed)

/** The message when a session could not be joined: the server's message where it sent one. */
export function joinErrorMessage(error: unknown, fallback: string): string {
  if (isMismatch(error)) return sessionStrings.protectionMismatch
  const isUnreadable = error instanceof ApiError && error.code === null
  return isUnreadable ? sessionStrings.joinFailedTryAgain : messageFor(error, fallback)
}

const isMismatch = (error: unknown): boolean => hasCode(error, 'KEY_MODE_MISMATCH', 'SESSION_MISMATCH')

const isWithoutMessage = (error: unknown): boolean =>
  error instanceof ApiError && error.code === null && error.serverMessage === ''
