import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { identifierValue } from '../users/new-user.ts'
import type { Identifier } from '../users/users.store.ts'
import { countSignIn } from './auth-rate-limits.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { blocksOf, countAll } from './limit-tiers.ts'

interface PasswordGuardDeps extends Pick<ServerContext, 'rateLimiter' | 'securityLog'> {
  readonly knownOrigins: Pick<KnownOrigins, 'has'>
  readonly guessingNotices: GuessingNotices
}

interface PasswordCheckInput {
  readonly identifier: Identifier
  readonly address: string
  /** Null for an unknown identifier, which is limited in the same way. */
  readonly userId: string | null
}

/**
 * Limits guesses at a password. The owner is never locked out: past the daily threshold over all IP addresses, only
 * addresses from which the owner has not signed in before get fewer attempts, and the owner gets a notice.
 */
export function createPasswordGuard({ rateLimiter, knownOrigins, guessingNotices, securityLog }: PasswordGuardDeps) {
  /** Counts towards the daily threshold; returns null when it was already reached. */
  async function countDaily(identifierText: string): Promise<(() => Promise<void>) | null> {
    const key = `sign-in-day|${identifierText}`
    const { allowed } = await rateLimiter.allow(key, rateLimits.signInFailuresPerDay)
    return allowed ? () => rateLimiter.refund(key) : null
  }

  /** Counts an attempt before its comparison, so that concurrent ones cannot exceed the limit. Returns its release. */
  async function count({ identifier, address }: PasswordCheckInput, account: string): Promise<() => Promise<void>> {
    const identifierText = identifierValue(identifier)
    const release = await countSignIn(rateLimiter, identifier, address)
    try {
      let releaseGuessLimit = await countDaily(identifierText)
      if (!releaseGuessLimit && !(await knownOrigins.has(account, address))) {
        const keyOf = (block: string) => `sign-in-guessed|${block}|${identifierText}`
        releaseGuessLimit = await countAll(rateLimiter, blocksOf(address, rateLimits.signInFailuresWhileGuessed, keyOf))
      }
      return async () => {
        await release()
        await releaseGuessLimit?.()
      }
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    /**
     * Compares a password unless there were too many wrong ones. Only a wrong password counts as a failure, not one
     * that the server was too busy to compare.
     */
    async check(input: PasswordCheckInput, matches: () => Promise<boolean>): Promise<boolean> {
      // Unknown identifiers take the same steps, so that the duration reveals nothing.
      const account = input.userId ?? identifierValue(input.identifier)
      const { userId, address } = input
      const release = await count(input, account).catch((error: unknown) => {
        if (error instanceof AuthError) securityLog.record('sign-in.locked', { userId, address })
        throw error
      })
      const isMatch = await matches().catch(async (error: unknown) => {
        await release()
        throw error
      })
      if (isMatch) await release()
      else {
        securityLog.record('sign-in.failed', { userId, address })
        await guessingNotices.countFailure('wrong-passwords', account, guessingLimits.passwordNoticeAfter)
      }
      return isMatch
    },
  }
}

export type PasswordGuard = ReturnType<typeof createPasswordGuard>
