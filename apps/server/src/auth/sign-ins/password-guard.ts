import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../../limits/attempts.ts'
import { nameOf } from '../users/new-user.ts'
import type { Identifier } from '../users/users.store.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { countInTiers } from './limit-tiers.ts'
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

interface CountedAttempt {
  /** Releases the attempt: only failures count. */
  succeed(): Promise<void>
  fail(): Promise<void>
}

/**
 * Limits guesses at a password. The owner is never locked out: past the day's threshold over all addresses, only
 * addresses from which they have not signed in before get fewer attempts, and the owner gets a notice.
 */
export function createPasswordGuard({ attempts, origins, guessing }: PasswordGuardDeps) {
  const { allow, forgive } = attempts

  /** Counts towards the day's threshold; null when it was reached before. */
  async function countDay(name: string): Promise<(() => Promise<void>) | null> {
    const key = `sign-in-day|${name}`
    const { allowed } = await allow(key, rateLimits.signInFailuresPerDay)
    return allowed ? () => forgive(key) : null
  }

  return {
    async count({ identifier, address, userId }: PasswordAttempt): Promise<CountedAttempt> {
      const name = nameOf(identifier)
      // Unknown names take the same steps, so that the time tells nothing.
      const account = userId ?? name
      const release = await countSignIn(attempts, identifier, address)
      let releaseStricter = await countDay(name)
      if (!releaseStricter && !(await origins.has(account, address))) {
        try {
          releaseStricter = await countInTiers(attempts, `sign-in-guessed|${address}|${name}`, [
            rateLimits.signInFailuresWhileGuessed,
          ])
        } catch (error) {
          await release()
          throw error
        }
      }
      return {
        async succeed() {
          await release()
          await releaseStricter?.()
        },
        async fail() {
          await guessing.countFailure('wrong-passwords', account, guessingLimits.passwordNoticeAfter)
        },
      }
    },
  }
}

export type PasswordGuard = ReturnType<typeof createPasswordGuard>
