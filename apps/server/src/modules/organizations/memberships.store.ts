import { organizationLimits } from '@sallyport/contract/limits'
import { OrganizationRole } from '@sallyport/contract/organization-roles'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { SeatGrant } from './seats.rules.ts'

export interface Organization {
  readonly id: string
  readonly name: string
  readonly ownerId: string
}

export interface Membership extends Organization {
  readonly role: OrganizationRole
}

/** The sources of licences that people were granted. An offer of a kind gives the licence of one source. */
const offerKinds = { 'magic-link': 'link', 'licence-key': 'key', admin: null } as const
export const grantSources = Object.keys(offerKinds) as (keyof typeof offerKinds)[]

/** SQL for who belongs to which organization, and what its owner was granted. */
export function createMembershipsStore(db: Database) {
  const memberships = () =>
    db
      .selectFrom('organization_members')
      .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
      .select(['organizations.id', 'name', 'owner_id', 'role', 'organization_members.user_id'])

  return {
    async find(userId: string): Promise<Membership | null> {
      const row = await memberships().where('organization_members.user_id', '=', userId).executeTakeFirst()
      if (!row) return null
      return { id: row.id, name: row.name, ownerId: row.owner_id, role: OrganizationRole.parse(row.role) }
    },
    /** The organizations of those users who belong to one, by user id. */
    async organizationsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, Organization>> {
      const rows = await memberships().where('organization_members.user_id', 'in', userIds).execute()
      return new Map(rows.map(({ user_id, id, name, owner_id }) => [user_id, { id, name, ownerId: owner_id }]))
    },
    /** The business licences that were granted to these users, those that have ended included, by user id. */
    async grantsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, SeatGrant[]>> {
      if (userIds.length === 0) return new Map()
      const licences = await db
        .selectFrom('licences')
        .select(['user_id', 'source', 'expires_at'])
        .where('user_id', 'in', userIds)
        .where('type', '=', 'business')
        .where('source', 'in', grantSources)
        .execute()
      if (licences.length === 0) return new Map()
      const claims = await db
        .selectFrom('licence_claims')
        .innerJoin('licence_offers', 'licence_offers.id', 'licence_claims.offer_id')
        .select(['licence_claims.user_id', 'kind', 'seats'])
        .where('licence_claims.user_id', 'in', userIds)
        .where('type', '=', 'business')
        .orderBy('claimed_at', 'desc')
        .execute()
      const grants = licences.map(({ user_id, source, expires_at }) => {
        const kind = grantSources.find((known) => known === source)
        const claim = claims.find((one) => one.user_id === user_id && kind && one.kind === offerKinds[kind])
        return { userId: user_id, seats: claim?.seats ?? null, expiresAt: expires_at }
      })
      return Map.groupBy(grants, ({ userId }) => userId)
    },
    /** All members, the owner first, then in the order in which they joined. */
    members: (organizationId: string) =>
      db
        .selectFrom('organization_members')
        .innerJoin('users', 'users.id', 'organization_members.user_id')
        .leftJoin('storage_use', 'storage_use.user_id', 'users.id')
        .select(['users.id', 'email', 'phone', 'role', 'joined_at', 'used_bytes', 'file_count'])
        .where('organization_id', '=', organizationId)
        .orderBy(sql`case role when 'owner' then 0 else 1 end`)
        .orderBy('joined_at')
        .orderBy('users.id')
        .limit(organizationLimits.seats)
        .execute(),
    /** The invitations that were not accepted, those that have expired included, newest first. */
    invitations: (organizationId: string) =>
      db
        .selectFrom('organization_invitations')
        .select(['id', 'email', 'role', 'sent_at', 'expires_at'])
        .where('organization_id', '=', organizationId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(organizationLimits.seats)
        .execute(),
    /** The open invitations to an address, newest first. */
    invitationsTo: (email: string, now: number) =>
      db
        .selectFrom('organization_invitations')
        .innerJoin('organizations', 'organizations.id', 'organization_invitations.organization_id')
        .select(['organization_invitations.id', 'name', 'role'])
        .where('email', '=', email)
        .where('expires_at', '>', now)
        .orderBy('sent_at', 'desc')
        .limit(shownInvitations)
        .execute(),
    /** Owners and admins. */
    async managerIds(organizationId: string): Promise<string[]> {
      const members = db.selectFrom('organization_members').select('user_id').where('role', '!=', 'member')
      const rows = await members.where('organization_id', '=', organizationId).execute()
      return rows.map(({ user_id }) => user_id)
    },
  }
}

const shownInvitations = 20

export type MembershipsStore = ReturnType<typeof createMembershipsStore>
