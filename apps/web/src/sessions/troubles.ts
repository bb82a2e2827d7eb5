import { ApiError } from '@sallyport/client/errors'
import { SessionError } from '@sallyport/client/sessions/session-error'
import { speak } from '#/api/failure.ts'
import type { Trouble } from '#/messages/troubles.ts'
import { sessionWords } from '#/words/sessions.ts'

/** The server's own sentence, under what was tried. */
export function troubleOfSending(error: unknown): Trouble {
  const line = sessionWords.sendFailed
  const meaning = speak(error, '')
  return meaning === '' || meaning === line ? { line } : { line, meaning }
}

/** What to say when a session could not be entered: the server's sentence where it gave one. */
export function sayEntering(error: unknown, fallback: string): string {
  if (error instanceof SessionError) return sessionWords.refused
  const isUnreadable = error instanceof ApiError && error.code === null
  return isUnreadable ? sessionWords.joinFailedTryAgain : speak(error, fallback)
}
