import { rateLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import type { LicenceOffer } from '../licences/licence-offers.store.ts'
import type { LicenceOffers } from '../licences/licence-offers.ts'
import type { Attempts } from '../limits/attempts.ts'

interface Parts {
  readonly offers: Pick<LicenceOffers, 'findLink'>
  readonly attempts: Attempts
}

/** Finds what an invitation's link gives. Looking uses nothing up, so that a mail scanner may; guessing is slow. */
export function createInvitations({ offers, attempts }: Parts) {
  return {
    async find(token: string, address: string): Promise<LicenceOffer> {
      const key = `invitation|${address}`
      const { allowed, retryAfterSeconds } = await attempts.allow(key, rateLimits.invitationMissesPerAddress)
      if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
      const offer = await offers.findLink(token)
      if (!offer) throw refuse('INVITATION_INVALID')
      await attempts.forgive(key)
      return offer
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>
