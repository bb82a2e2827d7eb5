import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../../limits/attempts.ts'
import { nameOf } from '../users/new-user.ts'
import type { Identifier } from '../users/users.store.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { blocksOf, countAll } from './limit-tiers.ts'
import { countSignIn } from './sign-in-attempts.ts'

interface PasswordGuardDeps {
  readonly attempts: Attempts
  readonly origins: Pick<KnownOrigins, 'has'>
  readonly guessing: GuessingNotices
}

interface PasswordAttempt {
  readonly identifier: Identifier
  readonly address: string
  /** Null for an unknown name, which is limited in the same way. */
  readonly userId: string | null
}

/**
 * Limits guesses at a password. The owner is never locked out: past the day's threshold over all addresses, only
 * addresses from which they have not signed in before get fewer attempts, and the owner gets a notice.
 */
export function createPasswordGuard({ attempts, origins, guessing }: PasswordGuardDeps) {
  /** Counts towards the day's threshold; null when it was reached before. */
  async function countDay(name: string): Promise<(() => Promise<void>) | null> {
    const key = `sign-in-day|${name}`
    const { allowed } = await attempts.allow(key, rateLimits.signInFailuresPerDay)
    return allowed ? () => attempts.forgive(key) : null
  }

  /** Guesses under way count too, so that many at once do not pass the threshold together. Returns what releases it. */
  async function count({ identifier, address }: PasswordAttempt, account: string): Promise<() => Promise<void>> {
    const name = nameOf(identifier)
    const release = await countSignIn(attempts, identifier, address)
    try {
      let releaseStricter = await countDay(name)
      if (!releaseStricter && !(await origins.has(account, address))) {
        const keyOf = (block: string) => `sign-in-guessed|${block}|${name}`
        releaseStricter = await countAll(attempts, blocksOf(address, rateLimits.signInFailuresWhileGuessed, keyOf))
      }
      return async () => {
        await release()
        await releaseStricter?.()
      }
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    /**
     * Compares a password unless there were too many wrong ones. Only a wrong password counts as a failure: neither a
     * right one, nor one that the server was too busy to compare.
     */
    async check(attempt: PasswordAttempt, matches: () => Promise<boolean>): Promise<boolean> {
      // Unknown names take the same steps, so that the time tells nothing.
      const account = attempt.userId ?? nameOf(attempt.identifier)
      const release = await count(attempt, account)
      const isRight = await matches().catch(async (error: unknown) => {
        await release()
        throw error
      })
      if (isRight) await release()
      else await guessing.countFailure('wrong-passwords', account, guessingLimits.passwordNoticeAfter)
      return isRight
    },
  }
}

export type PasswordGuard = ReturnType<typeof createPasswordGuard>
