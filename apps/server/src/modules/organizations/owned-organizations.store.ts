import { organizationLimits } from '@sallyport/contract/limits'
import { OrganizationRole } from '@sallyport/contract/organization-roles'
import { isSqlite } from '../../platform/db/dialect.ts'
import type { Database } from '../../platform/db/schema.ts'
import { countUsedSeats } from './organization-lock.store.ts'

interface OwnedInput {
  readonly userId: string
  /** The id and the name of the organization if the user owns none yet. */
  readonly id: string
  readonly name: string
  readonly now: number
}

/** SQL for organizations as far as billing needs them. */
export function createOwnedOrganizationsStore(db: Database) {
  return {
    /** The organization of a user who wants to buy, with the seats that it uses; null if they belong to none. */
    async findForBuyer(userId: string, now: number) {
      const own = await db
        .selectFrom('organization_members')
        .select(['organization_id', 'role'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (!own) return null
      const { members, invitations } = await countUsedSeats(db, own.organization_id, now)
      return {
        id: own.organization_id,
        role: OrganizationRole.parse(own.role),
        usedSeats: members + invitations,
      }
    },
    /**
     * Returns the organization that the user owns, and creates it if they own none. A member of another organization leaves
     * it: they paid for one of their own.
     */
    ensureOwned: ({ userId, id, name, now }: OwnedInput): Promise<string> =>
      db.transaction().execute(async (transaction) => {
        const user = transaction.selectFrom('users').select('id').where('id', '=', userId)
        // Two payments of one user wait for each other.
        await (isSqlite(transaction) ? user : user.forUpdate()).executeTakeFirstOrThrow()
        const owned = transaction.selectFrom('organizations').select('id').where('owner_id', '=', userId)
        const found = await owned.executeTakeFirst()
        if (found) return found.id
        await transaction.insertInto('organizations').values({ id, name, owner_id: userId, created_at: now }).execute()
        const ownership = { organization_id: id, role: 'owner', joined_at: now }
        await transaction
          .insertInto('organization_members')
          .values({ user_id: userId, ...ownership })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(ownership))
          .execute()
        return id
      }),
    async memberIds(organizationId: string): Promise<string[]> {
      const members = db.selectFrom('organization_members').select('user_id')
      const rows = await members.where('organization_id', '=', organizationId).limit(organizationLimits.seats).execute()
      return rows.map(({ user_id }) => user_id)
    },
  }
}

export type OwnedOrganizationsStore = ReturnType<typeof createOwnedOrganizationsStore>
