import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { LicenceOffer } from '../licences/licence-offers.store.ts'
import type { LicenceOffers } from '../licences/licence-offers.ts'

interface InvitationServiceDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly offers: Pick<LicenceOffers, 'findLink'>
}

/**
 * Finds the offer of an invitation link. Reading it does not consume it, so mail scanners are harmless. Misses are
 * rate-limited.
 */
export function createInvitationService({ offers, rateLimiter }: InvitationServiceDeps) {
  return {
    async find(token: string, address: string): Promise<LicenceOffer> {
      const key = `invitation|${address}`
      await rateLimiter.require(key, rateLimits.invitationMissesPerAddress)
      const offer = await offers.findLink(token)
      if (!offer) throw apiError('INVITATION_INVALID')
      await rateLimiter.refund(key)
      return offer
    },
  }
}

export type InvitationService = ReturnType<typeof createInvitationService>
