import { LicenceType } from '@sallyport/contract/accounts'
import { invitations as contract } from '@sallyport/contract/invitations'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import type { LicenceOffer } from '../licences/licence-offers.store.ts'
import type { Invitations } from './invitations.service.ts'

interface Invited {
  readonly email: string
  readonly credential: string
  readonly address: string
  readonly offer: LicenceOffer
}

interface Deps {
  readonly invitations: Invitations
  readonly register: (invited: Invited) => Promise<{ user: { id: string; email: string }; message: string }>
}

const gigabyte = 1024 ** 3

export function invitationRoutes(app: FastifyInstance, { invitations, register }: Deps): void {
  mount(app, contract.validateMagicLink, async ({ params, address }) => {
    const { type, storage_limit_bytes, seats } = await invitations.find(params.token, address)
    return { type: LicenceType.parse(type), storage_gb: storage_limit_bytes / gigabyte, seats }
  })

  mount(app, contract.registerWithMagicLink, async ({ body, address }) => {
    const { email, password: credential, magicToken } = body
    return register({ email, credential, address, offer: await invitations.find(magicToken, address) })
  })
}
