import { InvitedRole, OrganizationRole } from '@sallyport/contract/organization-roles'
import { apiError } from '../../errors.ts'
import { isSqlite } from '../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import { authorize, type OrganizationAction } from './organization.rules.ts'

/**
 * Locks an organization until the transaction ends: everything that counts or takes seats, and every change of members,
 * waits for each other. Returns false if there is none.
 */
export async function lockOrganization(transaction: DatabaseTransaction, id: string): Promise<boolean> {
  const found = transaction.selectFrom('organizations').select('id').where('id', '=', id)
  return (await (isSqlite(transaction) ? found : found.forUpdate()).executeTakeFirst()) !== undefined
}

/** The role of a user in this organization; null if they do not belong to it. */
export async function roleIn(
  transaction: DatabaseTransaction,
  organizationId: string,
  userId: string,
): Promise<OrganizationRole | null> {
  const member = await transaction
    .selectFrom('organization_members')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member ? OrganizationRole.parse(member.role) : null
}

/** Locks the organization and throws unless this member may do that to it. Returns their role. */
export async function lockAs(
  transaction: DatabaseTransaction,
  { organizationId, actorId }: { readonly organizationId: string; readonly actorId: string },
): Promise<OrganizationRole> {
  const isFound = await lockOrganization(transaction, organizationId)
  const role = isFound ? await roleIn(transaction, organizationId, actorId) : null
  if (role === null) throw apiError('NO_ORGANIZATION')
  return role
}

/** Throws the error of the rules, if there is one. */
export function requireAllowed(action: OrganizationAction, actor: OrganizationRole): void {
  const code = authorize(action, actor)
  if (code !== null) throw apiError(code)
}

/** How many seats members and open invitations use. */
export async function countUsedSeats(
  db: Database | DatabaseTransaction,
  organizationId: string,
  now: number,
): Promise<{ readonly members: number; readonly invitations: number }> {
  const { members, invitations } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('organization_members')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .as('members'),
      selectFrom('organization_invitations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('expires_at', '>', now)
        .as('invitations'),
    ])
    .executeTakeFirstOrThrow()
  return { members: Number(members), invitations: Number(invitations) }
}

export const parseInvitedRole = (role: string): InvitedRole => InvitedRole.parse(role)
