import { organizations as contract } from '@sallyport/contract/organizations'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { mount } from '../../platform/http/mount.ts'
import type { InvitationsService } from './invitations.service.ts'
import type { JoinService } from './join.service.ts'

interface InvitationRoutesDeps extends Pick<ServerContext, 'rateLimiter'>, JoinService {
  readonly invitations: InvitationsService
}

/** The calls of people who were invited. */
export function organizationInvitationRoutes(app: FastifyInstance, deps: InvitationRoutesDeps): void {
  const { invitations, join, rateLimiter } = deps

  const countChange = (userId: string): Promise<void> =>
    rateLimiter.require(`organization-changes|${userId}`, rateLimits.organizationChangesPerAccount)

  mount(app, contract.validateInvite, async ({ params, address }) => invitations.describe(params.token, address))

  mount(app, contract.join, async ({ body, address, userAgent }) => {
    const organization = await join({
      token: body.token,
      email: body.email,
      credential: body.password,
      saysAccountExists: body.existing_account === true,
      origin: { address, userAgent },
    })
    const { name, role } = organization
    return { message: `You joined ${name}`, organization, organization_name: name, role }
  })

  mount(app, contract.autoJoin, async ({ caller, body }) => {
    const { userId, email } = caller.account
    if (body.user_id !== userId || body.email.trim().toLowerCase() !== email.toLowerCase()) throw apiError('FORBIDDEN')
    await countChange(userId)
    const organization = await invitations.autoJoin(userId, email)
    return { joined: organization !== null, organization }
  })

  mount(app, contract.acceptInvite, async ({ caller, body, address }) => {
    const { userId } = caller.account
    await countChange(userId)
    const organization = await invitations.accept({ userId, token: body.token, address })
    return { message: `You joined ${organization.name}`, organization }
  })
}
