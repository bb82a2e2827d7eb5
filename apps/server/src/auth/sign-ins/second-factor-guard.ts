import { guessingLimits } from '@sallyport/contract/server-limits'
import type { Account } from '../../http/caller.ts'
import type { Attempts } from '../../limits/attempts.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { countInTiers } from './limit-tiers.ts'

const tooManyCodes = (wait: string): string => `Too many wrong codes. Try again in ${wait}, or use a backup code.`

interface SecondFactorGuardDeps {
  readonly attempts: Attempts
  readonly origins: KnownOrigins
  readonly guessing: GuessingNotices
}

type Holder = Pick<Account, 'userId' | 'secondFactorPending'>

interface CountedCode {
  /** Releases the attempt, and records where the sign-in was completed. */
  succeed(): Promise<void>
  fail(): Promise<void>
}

/**
 * Limits guesses at the codes of a second factor, with waits that grow over a day. Addresses from which the owner has
 * signed in before are counted one by one, all others together. A wrong code after a right password is reported to the
 * owner, since the one who enters it knows the password.
 */
export function createSecondFactorGuard({ attempts, origins, guessing }: SecondFactorGuardDeps) {
  return {
    async count({ userId, secondFactorPending }: Holder, address: string): Promise<CountedCode> {
      const isKnown = await origins.has(userId, address)
      const key = isKnown ? `factor-code|${userId}|${address}` : `factor-code|${userId}`
      const release = await countInTiers(attempts, key, guessingLimits.secondFactorTiers, tooManyCodes)
      return {
        async succeed() {
          await release()
          await origins.add(userId, address)
        },
        async fail() {
          if (!secondFactorPending) return
          await guessing.countFailure('wrong-codes', userId, guessingLimits.codeNoticeAfter)
        },
      }
    },
  }
}

export type SecondFactorGuard = ReturnType<typeof createSecondFactorGuard>
