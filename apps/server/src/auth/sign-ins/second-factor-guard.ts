import { guessingLimits } from '@sallyport/contract/server-limits'
import type { Account } from '../../http/caller.ts'
import type { Attempts } from '../../limits/attempts.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { countAll, tiersOf } from './limit-tiers.ts'

const tooManyCodes = (wait: string): string => `Too many wrong codes. Try again in ${wait}, or use a backup code.`

interface SecondFactorGuardDeps {
  readonly attempts: Attempts
  readonly origins: KnownOrigins
  readonly guessing: GuessingNotices
}

type Holder = Pick<Account, 'userId' | 'secondFactorPending'>

/**
 * Limits guesses at the codes of a second factor, with waits that grow over a day. Addresses from which the owner has
 * signed in before are counted one by one, all others together. A wrong code after a right password is reported to the
 * owner, since the one who enters it knows the password.
 */
export function createSecondFactorGuard({ attempts, origins, guessing }: SecondFactorGuardDeps) {
  return {
    /**
     * Compares a code unless there were too many wrong ones. Only a wrong code counts as a failure: not one that could not
     * be compared. A right one completes a sign-in, so that its address becomes known.
     */
    async check({ userId, secondFactorPending }: Holder, address: string, matches: () => Promise<boolean>) {
      const isKnown = await origins.has(userId, address)
      const key = isKnown ? `factor-code|${userId}|${address}` : `factor-code|${userId}`
      const release = await countAll(attempts, tiersOf(key, guessingLimits.secondFactorTiers), tooManyCodes)
      const isRight = await matches().catch(async (error: unknown) => {
        await release()
        throw error
      })
      if (isRight) {
        await release()
        await origins.add(userId, address)
      } else if (secondFactorPending) {
        await guessing.countFailure('wrong-codes', userId, guessingLimits.codeNoticeAfter)
      }
      return isRight
    },
  }
}

export type SecondFactorGuard = ReturnType<typeof createSecondFactorGuard>
