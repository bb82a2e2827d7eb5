import { type Clock, isTimeout } from '@sallyport/client/clock'
import { isUnanswered } from '@sallyport/client/connectivity'
import { ApiError } from '@sallyport/client/errors'

const firstPauseMs = 1000
const maxPauseMs = 16_000

/** How long one such request may take; a connection that the network has dropped silently never fails by itself. */
export const requestTimeoutMs = 10_000

/**
 * Asks the server about a request whose answer was lost: five times with pauses of 1 to 16 seconds, unless it answers.
 * Pauses before the first time too, because the server may still be processing that request.
 */
export async function askAgain<Answer>(clock: Clock, ask: () => Promise<Answer>): Promise<Answer> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    await clock.wait(pauseMs)
    try {
      return await ask()
    } catch (error) {
      if (pauseMs >= maxPauseMs || !mayBeAnsweredLater(error)) throw error
    }
  }
}

const mayBeAnsweredLater = (error: unknown): boolean =>
  isUnanswered(error) || isTimeout(error) || (error instanceof ApiError && error.code === 'UNAVAILABLE')
