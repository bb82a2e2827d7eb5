import { ApiError } from '@sallyport/client/errors'
import { speak } from '#/api/failure.ts'
import type { Trouble } from '#/messages/troubles.ts'
import { chatWords } from '#/words/chat.ts'

export function troubleOfSending(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { line: chatWords.sendFailed(speak(error, chatWords.sealFailed)) }
  const { status, statusText, message } = error
  return { line: chatWords.sendFailed(`${status} ${statusText}`.trimEnd()), meaning: message }
}

export function troubleOfDeleting(error: unknown, target: string | 'all'): Trouble {
  if (target === 'all') return { line: chatWords.deleteAllFailed }
  return { line: error instanceof ApiError ? chatWords.deleteFailedWith(error.status) : chatWords.deleteFailed }
}
