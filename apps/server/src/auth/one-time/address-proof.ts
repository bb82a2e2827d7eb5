import { guessingLimits } from '@sallyport/contract/server-limits'
import type { ProviderParts } from '../provider-parts.ts'
import type { UserRecord } from '../users/users.store.ts'

type Deps = Pick<ProviderParts, 'oneTimeTokens' | 'messages' | 'settings' | 'attempts'>

/**
 * Mails a confirmation link to a user whose address was accepted while the server sent no mail. They can sign in
 * meanwhile, and get such a mail at most once a week.
 */
export function createAddressProof({ oneTimeTokens, messages, settings, attempts }: Deps) {
  const windowSeconds = guessingLimits.addressProofEveryMs / 1000
  return async ({ id: userId, email, email_proven_at }: UserRecord): Promise<void> => {
    if (!settings.confirmAddresses || email === null || email_proven_at !== null) return
    const { allowed } = await attempts.allow(`address-proof|${userId}`, { points: 1, windowSeconds })
    if (!allowed) return
    const issued = await oneTimeTokens.issue({ userId, kind: 'confirmation', relatesTo: email })
    await messages.proveAddress({ to: email, issued, type: 'email' })
  }
}
