import type { InvitedRole } from '@sallyport/contract/organization-roles'
import { apiError } from '../../errors.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import type { Licence } from '../accounts/licences/licence.rules.ts'
import { grantLicence } from '../accounts/licences/licences.store.ts'
import { lockAs, lockOrganization, requireAllowed, roleIn } from './organization-lock.store.ts'

interface MemberInput {
  readonly organizationId: string
  readonly actorId: string
  readonly userId: string
}

interface EndInput {
  /** The licence of the seat as it ends. */
  readonly seat: Licence
  readonly now: number
}

/** SQL for changes of members. Rights are read in the transaction that uses them. */
export function createMembersStore(db: Database) {
  return {
    /** Throws NOT_FOUND for people who do not belong to the organization, MEMBER_IS_OWNER or FORBIDDEN. */
    remove: ({ organizationId, actorId, userId, seat, now }: MemberInput & EndInput): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const actor = await lockAs(transaction, { organizationId, actorId })
        const role = await roleIn(transaction, organizationId, userId)
        if (actor === 'member') throw apiError('FORBIDDEN')
        if (role === null) throw apiError('NOT_FOUND')
        requireAllowed({ kind: 'remove', role }, actor)
        await end(transaction, { userId, seat, now })
      }),
    /** Throws OWNER_CANNOT_LEAVE. */
    leave: ({ organizationId, userId, seat, now }: Omit<MemberInput, 'actorId'> & EndInput): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        requireAllowed({ kind: 'leave' }, await lockAs(transaction, { organizationId, actorId: userId }))
        await end(transaction, { userId, seat, now })
      }),
    /** Throws NOT_FOUND, MEMBER_IS_OWNER or FORBIDDEN. */
    setRole: ({ organizationId, actorId, userId, newRole }: MemberInput & { readonly newRole: InvitedRole }) =>
      db.transaction().execute(async (transaction) => {
        const actor = await lockAs(transaction, { organizationId, actorId })
        const role = await roleIn(transaction, organizationId, userId)
        if (actor !== 'owner') throw apiError('FORBIDDEN')
        if (role === null) throw apiError('NOT_FOUND')
        requireAllowed({ kind: 'set-role', role }, actor)
        const member = transaction.updateTable('organization_members').set({ role: newRole })
        await member.where('user_id', '=', userId).execute()
      }),
    /** Deletes an organization with its invitations; the seats of its members end. Returns who they were. */
    close: ({ organizationId, seat, now }: { readonly organizationId: string } & EndInput): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        if (!(await lockOrganization(transaction, organizationId))) return []
        const members = transaction.selectFrom('organization_members').select('user_id').orderBy('user_id')
        const rows = await members.where('organization_id', '=', organizationId).execute()
        for (const { user_id: userId } of rows) await end(transaction, { userId, seat, now })
        await transaction.deleteFrom('organizations').where('id', '=', organizationId).execute()
        return rows.map(({ user_id }) => user_id)
      }),
    async emailOf(userId: string): Promise<string> {
      const user = await db.selectFrom('users').select(['email', 'phone']).where('id', '=', userId).executeTakeFirst()
      return user?.email ?? (user?.phone ? `+${user.phone}` : '')
    },
  }
}

export type MembersStore = ReturnType<typeof createMembersStore>

async function end(transaction: DatabaseTransaction, { userId, seat, now }: EndInput & { readonly userId: string }) {
  await transaction.deleteFrom('organization_members').where('user_id', '=', userId).execute()
  await grantLicence(transaction, { userId, source: 'seat', licence: seat, now })
}
