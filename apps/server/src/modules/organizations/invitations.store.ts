import { organizationLimits } from '@sallyport/contract/limits'
import type { InvitedRole, OrganizationRole } from '@sallyport/contract/organization-roles'
import { apiError } from '../../errors.ts'
import { countChanged } from '../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import type { Organization } from './memberships.store.ts'
import { isAllowed } from './organization.rules.ts'
import {
  countUsedSeats,
  lockAs,
  lockOrganization,
  parseInvitedRole,
  requireAllowed,
  roleIn,
} from './organization-lock.store.ts'

interface Actor {
  readonly organizationId: string
  readonly actorId: string
}

interface InviteInput extends Actor {
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  readonly tokenHash: string
  readonly totalSeats: number
  readonly now: number
}

interface AcceptInput {
  readonly invitationId: string
  /** Null for a link that was copied. */
  readonly tokenHash: string | null
  readonly organizationId: string
  readonly userId: string
  readonly email: string
  readonly totalSeats: number
  readonly now: number
}

export interface FoundInvitation {
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  readonly expiresAt: number
  readonly organization: Organization
}

/** SQL for invitations. Whatever takes a seat locks the organization first and counts then. */
export function createInvitationsStore(db: Database) {
  async function find(column: 'id' | 'token_hash', value: string, now: number): Promise<FoundInvitation | null> {
    const row = await db
      .selectFrom('organization_invitations as invitation')
      .innerJoin('organizations', 'organizations.id', 'invitation.organization_id')
      .select(['invitation.id', 'email', 'role', 'expires_at', 'organization_id', 'name', 'owner_id'])
      .where(`invitation.${column}`, '=', value)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (!row) return null
    const { id, email, role, expires_at, organization_id, name, owner_id } = row
    const organization = { id: organization_id, name, ownerId: owner_id }
    return { id, email, role: parseInvitedRole(role), expiresAt: expires_at, organization }
  }

  return {
    findByToken: (tokenHash: string, now: number) => find('token_hash', tokenHash, now),
    findById: (id: string, now: number) => find('id', id, now),
    /** Throws FORBIDDEN, ALREADY_MEMBER, INVITATION_PENDING or NO_SEATS. An expired invitation is replaced. */
    add: ({ organizationId, actorId, id, email, role, tokenHash, totalSeats, now }: InviteInput): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        requireAllowed({ kind: 'invite', role }, await lockAs(transaction, { organizationId, actorId }))
        if (await isMember(transaction, organizationId, email)) throw apiError('ALREADY_MEMBER')
        const former = await findTo(transaction, organizationId, email)
        if (former && former.expires_at > now) throw apiError('INVITATION_PENDING')
        await requireFreeSeat(transaction, { organizationId, totalSeats, now })
        if (former) await remove(transaction, former.id)
        await transaction
          .insertInto('organization_invitations')
          .values({
            id,
            organization_id: organizationId,
            email,
            role,
            token_hash: tokenHash,
            invited_by: actorId,
            created_at: now,
            sent_at: now,
            expires_at: now + organizationLimits.invitationMs,
          })
          .execute()
      }),
    /** Replaces the token. Throws INVITATION_UNKNOWN, FORBIDDEN, RATE_LIMITED or NO_SEATS. */
    renew: ({ organizationId, actorId, email, tokenHash, totalSeats, now }: Omit<InviteInput, 'id' | 'role'>) =>
      db.transaction().execute(async (transaction): Promise<InvitedRole> => {
        const actor = await lockAs(transaction, { organizationId, actorId })
        requireAllowed({ kind: 'read' }, actor)
        const found = await findTo(transaction, organizationId, email)
        if (!found) throw apiError('INVITATION_UNKNOWN')
        const role = parseInvitedRole(found.role)
        requireAllowed({ kind: 'manage-invitation', role }, actor)
        const waitMs = found.sent_at + organizationLimits.resendAfterMs - now
        if (waitMs > 0) throw apiError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
        if (found.expires_at <= now) await requireFreeSeat(transaction, { organizationId, totalSeats, now })
        const renewed = { token_hash: tokenHash, sent_at: now, expires_at: now + organizationLimits.invitationMs }
        await transaction.updateTable('organization_invitations').set(renewed).where('id', '=', found.id).execute()
        return role
      }),
    /** Deletes all invitations that the actor may delete, or one of them, and returns how many. */
    clear: ({ organizationId, actorId, id }: Actor & { readonly id?: string | undefined }): Promise<number> =>
      db.transaction().execute(async (transaction) => {
        const actor = await lockAs(transaction, { organizationId, actorId })
        requireAllowed({ kind: 'read' }, actor)
        const roles = (['member', 'admin'] as const).filter((role) =>
          isAllowed({ kind: 'manage-invitation', role }, actor),
        )
        const own = transaction.deleteFrom('organization_invitations').where('organization_id', '=', organizationId)
        const some = id === undefined ? own : own.where('id', '=', id)
        return countChanged(some.where('role', 'in', roles))
      }),
    /**
     * Turns an invitation into a membership with its role, or returns the role of a member that they are already. Throws
     * ORGANIZATION_INVITATION_INVALID, ALREADY_IN_ORGANIZATION or NO_SEATS.
     */
    accept: (input: AcceptInput): Promise<OrganizationRole> =>
      db.transaction().execute(async (transaction) => {
        const { invitationId, tokenHash, organizationId, userId, email, totalSeats, now } = input
        const isFound = await lockOrganization(transaction, organizationId)
        const own = await roleIn(transaction, organizationId, userId)
        if (own !== null) {
          await remove(transaction, invitationId)
          return own
        }
        const invitation = isFound ? await findTo(transaction, organizationId, email) : undefined
        const isValid =
          invitation?.id === invitationId &&
          invitation.expires_at > now &&
          (tokenHash === null || invitation.token_hash === tokenHash)
        if (!isValid) throw apiError('ORGANIZATION_INVITATION_INVALID')
        const { members } = await countUsedSeats(transaction, organizationId, now)
        if (members >= totalSeats) throw apiError('NO_SEATS')
        const joined = await transaction
          .insertInto('organization_members')
          .values({ user_id: userId, organization_id: organizationId, role: invitation.role, joined_at: now })
          .onConflict((conflict) => conflict.column('user_id').doNothing())
          .returning('user_id')
          .executeTakeFirst()
        if (!joined) throw apiError('ALREADY_IN_ORGANIZATION')
        await remove(transaction, invitationId)
        return parseInvitedRole(invitation.role)
      }),
  }
}

export type InvitationsStore = ReturnType<typeof createInvitationsStore>

const findTo = (transaction: DatabaseTransaction, organizationId: string, email: string) =>
  transaction
    .selectFrom('organization_invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .executeTakeFirst()

async function isMember(transaction: DatabaseTransaction, organizationId: string, email: string): Promise<boolean> {
  const member = transaction
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select('users.id')
    .where('organization_id', '=', organizationId)
    .where('users.email', '=', email)
  return (await member.executeTakeFirst()) !== undefined
}

async function requireFreeSeat(
  transaction: DatabaseTransaction,
  { organizationId, totalSeats, now }: Pick<InviteInput, 'organizationId' | 'totalSeats' | 'now'>,
): Promise<void> {
  const { members, invitations } = await countUsedSeats(transaction, organizationId, now)
  if (members + invitations >= totalSeats) throw apiError('NO_SEATS')
}

async function remove(transaction: DatabaseTransaction, id: string): Promise<void> {
  await transaction.deleteFrom('organization_invitations').where('id', '=', id).execute()
}
