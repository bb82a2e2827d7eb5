import { ApiError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { chatLimits } from '@sallyport/contract/limits'
import { speak } from '#/api/failure.ts'
import { chatWords } from '#/words/chat.ts'

/** What went wrong, and what it means for a person where the first line does not say so. */
export interface Trouble {
  readonly line: string
  readonly meaning?: string
}

/** The last thing that went wrong, for as long as failures are shown. */
export function createTroubles(): Observable<Trouble | null> & { tell: (trouble: Trouble) => void } {
  const told = createSubject<Trouble | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    current: told.current,
    subscribe: told.subscribe,
    tell(trouble) {
      clearTimeout(timer)
      told.set(trouble)
      timer = setTimeout(() => told.set(null), chatLimits.errorShownMs)
    },
  }
}

export function troubleOfSending(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { line: chatWords.sendFailed(speak(error, chatWords.sealFailed)) }
  const { status, statusText, message } = error
  return { line: chatWords.sendFailed(`${status} ${statusText}`.trimEnd()), meaning: message }
}

export function troubleOfDeleting(error: unknown, target: string | 'all'): Trouble {
  if (target === 'all') return { line: chatWords.deleteAllFailed }
  return { line: error instanceof ApiError ? chatWords.deleteFailedWith(error.status) : chatWords.deleteFailed }
}
