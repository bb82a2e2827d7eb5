import { LicenceType } from '@sallyport/contract/accounts'
import { invitations as contract } from '@sallyport/contract/invitations'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../platform/http/mount.ts'
import type { RegistrationService } from '../registration.service.ts'
import type { InvitationService } from './invitations.service.ts'

interface InvitationRoutesDeps extends Pick<RegistrationService, 'register'> {
  readonly invitations: InvitationService
}

const gigabyte = 1024 ** 3

export function invitationRoutes(app: FastifyInstance, { invitations, register }: InvitationRoutesDeps): void {
  mount(app, contract.validateMagicLink, async ({ params, address }) => {
    const { type, storage_limit_bytes, seats, days } = await invitations.find(params.token, address)
    return { type: LicenceType.parse(type), storage_gb: storage_limit_bytes / gigabyte, seats, days }
  })

  mount(app, contract.claim, async ({ body, caller, address }) => {
    const { userId } = caller.account
    const { magicToken, licenseKey = '' } = body
    const offer = await (magicToken === undefined
      ? invitations.findKey(licenseKey, address)
      : invitations.find(magicToken, address))
    await invitations.claim(offer, userId)
    return { license_type: LicenceType.parse(offer.type) }
  })

  mount(app, contract.registerWithMagicLink, async ({ body, address }) => {
    const { email, password: credential, magicToken } = body
    return register({ email, credential, address, offer: await invitations.find(magicToken, address) })
  })
}
