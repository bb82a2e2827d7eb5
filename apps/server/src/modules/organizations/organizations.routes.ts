import { formatDollars } from '@sallyport/contract/formats'
import { organizations as contract } from '@sallyport/contract/organizations'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { mount } from '../../platform/http/mount.ts'
import { toDashboardReply, toInvitation } from './dashboard-reply.ts'
import type { InvitationsService } from './invitations.service.ts'
import { parseInvitedRole } from './organization-lock.store.ts'
import type { OrganizationsService } from './organizations.service.ts'

interface OrganizationRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly organizations: OrganizationsService
  readonly invitations: InvitationsService
}

/** The calls of owners, admins and members. */
export function organizationRoutes(app: FastifyInstance, deps: OrganizationRoutesDeps): void {
  const { organizations, invitations, rateLimiter } = deps

  const countRead = (userId: string): Promise<void> =>
    rateLimiter.require(`organization-reads|${userId}`, rateLimits.organizationReadsPerAccount)
  const countChange = (userId: string): Promise<void> =>
    rateLimiter.require(`organization-changes|${userId}`, rateLimits.organizationChangesPerAccount)

  mount(app, contract.dashboard, async ({ caller }) => {
    const { userId } = caller.account
    await countRead(userId)
    return toDashboardReply(await organizations.dashboard(userId), userId)
  })

  mount(app, contract.membership, async ({ caller }) => {
    const { userId, email } = caller.account
    await countRead(userId)
    const found = await organizations.membership(userId)
    const open = found ? [] : await invitations.invitationsTo(userId, email)
    return {
      organization: found && {
        id: found.id,
        name: found.name,
        role: found.role,
        status: found.seats.status,
        ends_at: found.seats.endsAt,
      },
      invitations: open.map(({ id, name, role }) => ({ id, organization_name: name, role: parseInvitedRole(role) })),
    }
  })

  mount(app, contract.invite, async ({ caller, body }) => {
    const { userId } = caller.account
    await countChange(userId)
    const { invitation, actor } = await invitations.invite({
      actorId: userId,
      email: body.email,
      role: body.role ?? 'member',
    })
    return { message: `Invitation sent to ${invitation.email}`, invitation: toInvitation(invitation, actor) }
  })

  mount(app, contract.resendInvitation, async ({ caller, body }) => {
    await countChange(caller.account.userId)
    const email = await invitations.resend({ actorId: caller.account.userId, email: body.email })
    return { message: `Invitation sent again to ${email}` }
  })

  mount(app, contract.clearInvitations, async ({ caller }) => {
    await countChange(caller.account.userId)
    const cleared = await invitations.clear(caller.account.userId)
    if (cleared === 0) throw apiError('NO_INVITATIONS')
    return { message: `${cleared} ${cleared === 1 ? 'invitation' : 'invitations'} cleared`, cleared }
  })

  mount(app, contract.clearInvitation, async ({ caller, params }) => {
    await countChange(caller.account.userId)
    if ((await invitations.clear(caller.account.userId, params.id)) === 0) throw apiError('INVITATION_UNKNOWN')
    return { message: 'Invitation cleared' }
  })

  mount(app, contract.previewSeats, async ({ caller, body }) => {
    const { userId } = caller.account
    await countRead(userId)
    const preview = await organizations.previewSeats({ userId, additionalSeats: body.additional_seats })
    return { now_cents: preview.nowCents, monthly_cents: preview.monthlyCents, total_seats: preview.totalSeats }
  })

  mount(app, contract.addSeats, async ({ caller, headers, body }) => {
    const { userId } = caller.account
    await countChange(userId)
    const { additional_seats: additionalSeats } = body
    const requestKey = headers['idempotency-key'] ?? null
    const { totalSeats, chargedCents } = await organizations.addSeats({ userId, additionalSeats, requestKey })
    const added = `${additionalSeats} ${additionalSeats === 1 ? 'seat' : 'seats'} added.`
    return { message: `${added} ${formatDollars(chargedCents)} was charged.`, total_seats: totalSeats }
  })

  mount(app, contract.removeMember, async ({ caller, params }) => {
    await countChange(caller.account.userId)
    return { message: `${await organizations.removeMember(caller.account.userId, params.userId)} was removed` }
  })

  mount(app, contract.setRole, async ({ caller, params, body }) => {
    await countChange(caller.account.userId)
    const email = await organizations.setRole(caller.account.userId, params.userId, body.role)
    return { message: body.role === 'admin' ? `${email} is an admin now` : `${email} is no longer an admin` }
  })

  mount(app, contract.leave, async ({ caller }) => {
    await countChange(caller.account.userId)
    return { message: `You left ${await organizations.leave(caller.account.userId)}` }
  })
}
