import { OrganizationRole } from '@sallyport/contract/organization-roles'
import { isAllowed } from './organization.rules.ts'
import { parseInvitedRole } from './organization-lock.store.ts'
import type { OrganizationsService } from './organizations.service.ts'
import type { Seats } from './seats.rules.ts'

type Dashboard = Awaited<ReturnType<OrganizationsService['dashboard']>>

/** The dashboard as clients see it, with what the rules allow the one who asks. */
export function toDashboardReply(dashboard: Dashboard, userId: string) {
  const { id, name, role, seats, now } = dashboard
  const used = dashboard.members.length + dashboard.invitations.filter(({ expires_at }) => expires_at > now).length
  const invitations = dashboard.invitations.map((invitation) => toInvitation(invitation, role))
  return {
    organization: {
      id,
      name,
      status: seats.status,
      ends_at: seats.endsAt,
      total_seats: seats.total,
      used_seats: used,
      available_seats: Math.max(0, seats.total - used),
      granted_seats: seats.granted,
      seat_cents: seats.seatCents,
      monthly_cost_cents: seats.monthlyCents,
      your_role: role,
      abilities: {
        ...abilitiesOf(role, seats, dashboard.sellsSeats),
        clear_invitations: invitations.some(({ abilities }) => abilities.manage),
      },
    },
    members: dashboard.members.map((member) => toMember(member, role, userId)),
    pending_invitations: invitations,
  }
}

function abilitiesOf(role: OrganizationRole, { status, total, granted, cancels }: Seats, sellsSeats: boolean) {
  const isRunning = status !== 'ended'
  const isBought = total > granted
  const pays = sellsSeats && isAllowed({ kind: 'add-seats' }, role)
  return {
    invite: isRunning && isAllowed({ kind: 'invite', role: 'member' }, role),
    invite_admins: isRunning && isAllowed({ kind: 'invite', role: 'admin' }, role),
    add_seats: pays && isBought,
    cancel: sellsSeats && isBought && !cancels && isAllowed({ kind: 'cancel' }, role),
    buy: pays && !isBought,
  }
}

export function toInvitation(invitation: Dashboard['invitations'][number], actor: OrganizationRole) {
  const role = parseInvitedRole(invitation.role)
  return { ...invitation, role, abilities: { manage: isAllowed({ kind: 'manage-invitation', role }, actor) } }
}

function toMember(member: Dashboard['members'][number], actor: OrganizationRole, userId: string) {
  const role = OrganizationRole.parse(member.role)
  return {
    id: member.id,
    user_id: member.id,
    email: member.email ?? (member.phone === null ? member.id : `+${member.phone}`),
    role,
    joined_at: member.joined_at,
    storage_used: member.used_bytes ?? 0,
    file_count: member.file_count ?? 0,
    abilities: {
      remove: member.id !== userId && isAllowed({ kind: 'remove', role }, actor),
      change_role: isAllowed({ kind: 'set-role', role }, actor),
    },
  }
}
