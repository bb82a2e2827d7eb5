import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { LicenceOffer } from '../licences/licence-offers.store.ts'
import type { LicenceOffers } from '../licences/licence-offers.ts'
import { announceLicence } from '../licences/licences.ts'

interface InvitationServiceDeps extends Pick<ServerContext, 'rateLimiter' | 'bus' | 'publishToAccount' | 'now'> {
  readonly offers: Pick<LicenceOffers, 'findLink' | 'findKey' | 'claim'>
}

/**
 * Finds the offer of an invitation link. Reading it does not consume it, so mail scanners are harmless. Misses are
 * rate-limited.
 */
export function createInvitationService(deps: InvitationServiceDeps) {
  const { offers, rateLimiter, now } = deps

  async function countMisses(address: string, find: () => Promise<LicenceOffer>): Promise<LicenceOffer> {
    const key = `invitation|${address}`
    await rateLimiter.require(key, rateLimits.invitationMissesPerAddress)
    const offer = await find()
    await rateLimiter.refund(key)
    return offer
  }

  return {
    find: (token: string, address: string): Promise<LicenceOffer> =>
      countMisses(address, async () => {
        const offer = await offers.findLink(token)
        if (!offer) throw apiError('INVITATION_INVALID')
        return offer
      }),
    /** The same for a licence key. */
    findKey: (licenceKey: string, address: string): Promise<LicenceOffer> =>
      countMisses(address, () => offers.findKey(licenceKey)),
    /** Grants the licence of an offer to an existing account; a second time it changes nothing. */
    async claim({ id: offerId }: LicenceOffer, userId: string): Promise<void> {
      await offers.claim({ offerId, userId, now: now() })
      announceLicence(deps, userId)
    },
  }
}

export type InvitationService = ReturnType<typeof createInvitationService>
