import type { Call } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import { isUnanswered } from '@sallyport/client/connectivity'
import { ignore } from '@sallyport/contract/ignore'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { askAgain, requestTimeoutMs } from '../ask-again.ts'
import { confirmCredential } from './confirm-password.ts'
import { isPasswordInvalid } from './is-password-invalid.ts'

interface ChangeOrAskDeps {
  readonly call: Call
  readonly clock: Clock
}

interface ChangeOrAskInput {
  /** Replaces the credential on the server. Rejects with a `NetworkError` if the answer was lost. */
  readonly change: () => Promise<void>
  /** The new credential. */
  readonly next: string
  /** The previous credential, which the device has just sent; null if its password was forgotten. */
  readonly current: string | null
  readonly strings: LostAnswerStrings
}

/** The sentences for a lost answer. */
export interface LostAnswerStrings {
  /** The server still accepts the previous credential. */
  readonly unchanged: string
  /** The server could not be asked. */
  readonly interrupted: string
}

/**
 * Changes the credential. If the answer is lost, asks the server which credential it accepts: resolves if it is the new
 * one, otherwise rejects with a user-facing message.
 */
export async function changeOrAsk(
  deps: ChangeOrAskDeps,
  { change, next, current, strings }: ChangeOrAskInput,
): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!isUnanswered(error)) throw error
    const accepted = await askWhichIsAccepted(deps, { next, current })
    if (accepted === 'next') return
    throw new UserFacingError(accepted === 'current' ? strings.unchanged : strings.interrupted, { cause: error })
  }
}

/**
 * Asks about the new credential first: a change that takes long enough to be interrupted has usually been received, and
 * only rejected credentials count as failed attempts. Returns null if the server accepts neither or could not be asked.
 */
async function askWhichIsAccepted(
  deps: ChangeOrAskDeps,
  { next, current }: Pick<ChangeOrAskInput, 'next' | 'current'>,
): Promise<'next' | 'current' | null> {
  try {
    if (await isAccepted(deps, next)) return 'next'
    return current === null || (await isAccepted(deps, current)) ? 'current' : null
  } catch (error) {
    ignore(error, 'the message asks the user to sign in')
    return null
  }
}

const isAccepted = ({ call, clock }: ChangeOrAskDeps, credential: string): Promise<boolean> =>
  askAgain(clock, async () => {
    try {
      await confirmCredential({ call }, credential, { timeoutMs: requestTimeoutMs })
      return true
    } catch (error) {
      if (isPasswordInvalid(error)) return false
      throw error
    }
  })
