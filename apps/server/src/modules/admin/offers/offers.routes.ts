import { adminOffers as contract, offerLimits } from '@sallyport/contract/admin-offers'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { LimitReads } from '../limit-reads.ts'
import type { RequireProof } from '../require-proof.ts'
import type { OffersService } from './offers.service.ts'

interface OffersRoutesDeps {
  readonly offersService: OffersService
  readonly limitReads: LimitReads
  readonly requireProof: RequireProof
}

export function offersRoutes(app: FastifyInstance, { offersService, requireProof, limitReads }: OffersRoutesDeps) {
  mount(app, contract.offers, async ({ caller }) => {
    await limitReads(caller.account)
    const offers = await offersService.list()
    return { offers: offers.map(({ type, ...offer }) => ({ ...offer, license_type: type })) }
  })

  mount(app, contract.createMagicLink, async ({ caller, body }) => {
    await requireProof(caller.account)
    const { link, endsAt } = await offersService.createLink({
      actorId: caller.account.userId,
      type: body.license_type ?? 'vip',
      description: body.description ?? '',
      expiryDays: body.expiry_days ?? offerLimits.expiryDays,
      storageGigabytes: body.storage_gb,
      seats: body.seats,
    })
    return { magic_link: link, expires_at: endsAt }
  })

  mount(app, contract.endOffer, async ({ caller, params }) => {
    await requireProof(caller.account)
    await offersService.end({ actorId: caller.account.userId, id: params.id })
    return { message: 'Ended. No further account can claim it.' }
  })
}
