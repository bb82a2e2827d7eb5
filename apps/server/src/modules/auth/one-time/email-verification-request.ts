import { guessingLimits } from '@sallyport/contract/server-limits'
import type { ProviderDeps } from '../provider-deps.ts'
import type { UserRecord } from '../users/users.store.ts'

/**
 * Emails a confirmation link to a user whose address was accepted while the server did not send email. The user can
 * sign in meanwhile and gets at most one such email a week.
 */
export function createEmailVerificationRequest({ oneTimeTokens, messages, settings, rateLimiter }: ProviderDeps) {
  const windowSeconds = guessingLimits.addressProofEveryMs / 1000
  return async ({ id: userId, email, email_proven_at }: UserRecord): Promise<void> => {
    if (!settings.confirmEmails || email === null || email_proven_at !== null) return
    const { allowed } = await rateLimiter.allow(`address-proof|${userId}`, { points: 1, windowSeconds })
    if (!allowed) return
    const issued = await oneTimeTokens.issue({ userId, kind: 'confirmation', relatesTo: email })
    await messages.verifyEmail({ to: email, issued, type: 'email' })
  }
}
