import { randomUUIDv7 } from 'node:crypto'
import { licenceLimits } from '@sallyport/contract/limits'
import { parseOrganizationName } from '@sallyport/contract/organization-name'
import type { InvitedRole } from '@sallyport/contract/organization-roles'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { announceLicence } from '../accounts/licences/licences.ts'
import type { MembersStore } from './members.store.ts'
import type { Membership, MembershipsStore, Organization } from './memberships.store.ts'
import { requireAllowed } from './organization-lock.store.ts'
import type { OwnedOrganizationsStore } from './owned-organizations.store.ts'
import type { OwnershipStore } from './ownership.store.ts'
import type { FindSeatSources } from './seat-sources.ts'
import { type Seats, seatEndOf, seatsAt } from './seats.rules.ts'

/** The part of billing that sells seats. `userId` is the owner. */
interface SeatBilling {
  previewSeats(input: { readonly userId: string; readonly additionalSeats: number }): Promise<{
    readonly nowCents: number
    readonly monthlyCents: number
    readonly totalSeats: number
  }>
  addSeats(input: {
    readonly userId: string
    readonly additionalSeats: number
    readonly requestKey: string | null
  }): Promise<{ readonly totalSeats: number; readonly chargedCents: number }>
  /** Ends the subscription at once; a second time it changes nothing. */
  endOrganization(input: { readonly userId: string; readonly organizationId: string }): Promise<void>
}

interface OrganizationsDeps extends Pick<ServerContext, 'bus' | 'publishToAccount' | 'now'> {
  readonly memberships: MembershipsStore
  readonly members: MembersStore
  readonly owned: OwnedOrganizationsStore
  readonly ownership: OwnershipStore
  readonly findSeatSources: FindSeatSources
  /** Null where plans are not sold. */
  readonly billing: SeatBilling | null
}

interface AddSeatsInput {
  readonly userId: string
  readonly additionalSeats: number
  readonly requestKey: string | null
}

/** Organizations with their members and seats. */
export function createOrganizationsService(deps: OrganizationsDeps) {
  const { memberships, members, owned, findSeatSources, billing, now } = deps

  const sourcesOf = async (organization: Organization) =>
    (await findSeatSources([organization])).get(organization.id) ?? { subscription: null, grants: [] }

  const seatsOf = async (organization: Organization): Promise<Seats> => seatsAt(await sourcesOf(organization), now())

  /** The licence of a seat that ends now, or that has ended before. */
  async function endingSeat(organization: Organization) {
    const end = seatEndOf(await sourcesOf(organization)) ?? now()
    const { storageBytes } = licenceLimits.paid
    return { type: 'business' as const, storageBytes, expiresAt: Math.min(end, now()) }
  }

  /** The membership of a user. Someone who was granted a business licence owns an organization from here on. */
  async function findMembership(userId: string): Promise<Membership | null> {
    const found = await memberships.find(userId)
    if (found) return found
    const grants = (await memberships.grantsOf([userId])).get(userId) ?? []
    if (!grants.some(({ expiresAt }) => expiresAt === null || expiresAt > now())) return null
    const [name = ''] = (await members.emailOf(userId)).split('@')
    const parsed = parseOrganizationName(`Team of ${name}`)
    await owned.ensureOwned({
      userId,
      id: randomUUIDv7(),
      name: 'name' in parsed ? parsed.name : 'Team',
      now: now(),
    })
    return memberships.find(userId)
  }

  async function requireMembership(userId: string): Promise<Membership> {
    const found = await findMembership(userId)
    if (!found) throw apiError('NO_ORGANIZATION')
    return found
  }

  /** Throws NO_ORGANIZATION, or FORBIDDEN for members. */
  async function requireManager(userId: string): Promise<Membership> {
    const membership = await requireMembership(userId)
    requireAllowed({ kind: 'read' }, membership.role)
    return membership
  }

  /** Open pages of these users read their organization again. */
  function announce(userIds: readonly string[]): void {
    for (const userId of userIds) deps.publishToAccount(userId, { type: 'organization.changed' })
  }

  const announceToManagers = async (organizationId: string): Promise<void> =>
    announce(await memberships.managerIds(organizationId))

  /** Someone joined or left: their licence follows from it. */
  async function announceChange(organizationId: string, userId: string): Promise<void> {
    announceLicence(deps, userId)
    announce([userId])
    await announceToManagers(organizationId)
  }

  return {
    seatsOf,
    findMembership,
    requireManager,
    announceChange,
    announceToManagers,
    findOwned: (userId: string) => deps.ownership.find(userId, now()),
    transferOwnership: deps.ownership.transfer,
    /** What owners and admins see. Throws NO_ORGANIZATION, or FORBIDDEN for members. */
    async dashboard(userId: string) {
      const organization = await requireManager(userId)
      const { id, name, role } = organization
      const [seats, memberRows, invitationRows] = await Promise.all([
        seatsOf(organization),
        memberships.members(id),
        memberships.invitations(id),
      ])
      return {
        id,
        name,
        role,
        seats,
        members: memberRows,
        invitations: invitationRows,
        sellsSeats: billing !== null,
        now: now(),
      }
    },
    async membership(userId: string) {
      const membership = await findMembership(userId)
      return membership && { ...membership, seats: await seatsOf(membership) }
    },
    async previewSeats({ userId, additionalSeats }: Omit<AddSeatsInput, 'requestKey'>) {
      const organization = await requireManager(userId)
      requireAllowed({ kind: 'add-seats' }, organization.role)
      if (!billing) throw apiError('NO_SUBSCRIPTION')
      return billing.previewSeats({ userId: organization.ownerId, additionalSeats })
    },
    async addSeats({ userId, additionalSeats, requestKey }: AddSeatsInput) {
      const organization = await requireManager(userId)
      requireAllowed({ kind: 'add-seats' }, organization.role)
      if (!billing) throw apiError('NO_SUBSCRIPTION')
      const added = await billing.addSeats({ userId: organization.ownerId, additionalSeats, requestKey })
      await announceToManagers(organization.id)
      return { ...added, totalSeats: (await seatsOf(organization)).total }
    },
    /** Removes a member and returns their address. Throws NOT_FOUND, MEMBER_IS_OWNER or FORBIDDEN. */
    async removeMember(actorId: string, userId: string): Promise<string> {
      const organization = await requireManager(actorId)
      const email = await members.emailOf(userId)
      const seat = await endingSeat(organization)
      await members.remove({ organizationId: organization.id, actorId, userId, seat, now: now() })
      await announceChange(organization.id, userId)
      return email
    },
    /** Throws OWNER_CANNOT_LEAVE. Returns the name of the organization. */
    async leave(userId: string): Promise<string> {
      const organization = await requireMembership(userId)
      const seat = await endingSeat(organization)
      await members.leave({ organizationId: organization.id, userId, seat, now: now() })
      await announceChange(organization.id, userId)
      return organization.name
    },
    /** Throws NOT_FOUND, MEMBER_IS_OWNER or FORBIDDEN. Returns the address of the member. */
    async setRole(actorId: string, userId: string, newRole: InvitedRole): Promise<string> {
      const organization = await requireManager(actorId)
      await members.setRole({ organizationId: organization.id, actorId, userId, newRole })
      announce([userId])
      await announceToManagers(organization.id)
      return members.emailOf(userId)
    },
    /**
     * Takes a user who is deleted next out of their organization. That of an owner is closed: what is paid for it ends, and
     * then the seats of its members. A second time it changes nothing.
     */
    async endMembership(userId: string): Promise<void> {
      const membership = await memberships.find(userId)
      if (!membership) return
      const seat = await endingSeat(membership)
      if (membership.role !== 'owner') {
        await members.leave({ organizationId: membership.id, userId, seat, now: now() })
        return announceChange(membership.id, userId)
      }
      await billing?.endOrganization({ userId, organizationId: membership.id })
      const formerMembers = await members.close({ organizationId: membership.id, seat, now: now() })
      for (const memberId of formerMembers) announceLicence(deps, memberId)
      announce(formerMembers)
    },
  }
}

export type OrganizationsService = ReturnType<typeof createOrganizationsService>
