import { guessingLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import type { Account } from '../../../platform/http/caller.ts'
import type { GuessingNotices } from './guessing-notices.ts'
import type { KnownOrigins } from './known-origins.ts'
import { countAll, tiersOf } from './limit-tiers.ts'

const tooManyCodesText = (wait: string): string => `Too many wrong codes. Try again in ${wait}, or use a backup code.`

interface MfaGuardDeps extends Pick<ServerContext, 'rateLimiter' | 'securityLog'> {
  readonly knownOrigins: KnownOrigins
  readonly guessingNotices: GuessingNotices
}

type MfaAccount = Pick<Account, 'userId' | 'mfaPending'>

/**
 * Limits guesses at MFA codes, with waits that grow over a day. IP addresses from which the owner has signed in before
 * are counted separately, all others together. Wrong codes after the right password are reported to the owner, since
 * they show that the password is known.
 */
export function createMfaGuard({ rateLimiter, knownOrigins, guessingNotices, securityLog }: MfaGuardDeps) {
  return {
    /**
     * Compares a code unless there were too many wrong ones. Only a wrong code counts as a failure, not one that could
     * not be compared. A valid code completes signing in, so its IP address becomes known.
     */
    async check({ userId, mfaPending }: MfaAccount, address: string, matches: () => Promise<boolean>) {
      const isKnown = await knownOrigins.has(userId, address)
      const key = isKnown ? `factor-code|${userId}|${address}` : `factor-code|${userId}`
      const release = await countAll(rateLimiter, tiersOf(key, guessingLimits.mfaTiers), tooManyCodesText)
      const isMatch = await matches().catch(async (error: unknown) => {
        await release()
        throw error
      })
      if (isMatch) {
        await release()
        await knownOrigins.add(userId, address)
      } else {
        securityLog.record('second-factor.failed', { userId, address })
        if (mfaPending) await guessingNotices.countFailure('wrong-codes', userId, guessingLimits.codeNoticeAfter)
      }
      return isMatch
    },
  }
}

export type MfaGuard = ReturnType<typeof createMfaGuard>
