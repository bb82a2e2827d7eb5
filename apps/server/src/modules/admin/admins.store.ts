import { isSqlite } from '../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'

/** SQL for the admins of this instance. */
export function createAdminsStore(db: Database) {
  return {
    async isAdmin(userId: string): Promise<boolean> {
      const admin = db.selectFrom('admins').select('user_id').where('user_id', '=', userId)
      return (await admin.executeTakeFirst()) !== undefined
    },
    /** Returns true if an admin other than this user can sign in. */
    hasOther: (userId: string, now: number): Promise<boolean> => hasOtherAdmin(db, userId, now),
    async add(userId: string, now: number, transaction: DatabaseTransaction): Promise<void> {
      await transaction
        .insertInto('admins')
        .values({ user_id: userId, since: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    /** Adds the first admin. Returns false, and does nothing, if there is an admin. */
    async addFirst(userId: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (await transaction.selectFrom('admins').select('user_id').limit(1).executeTakeFirst()) return false
        await transaction.insertInto('admins').values({ user_id: userId, since: now }).execute()
        return true
      })
    },
    async isOnlyUser(userId: string): Promise<boolean> {
      const others = db.selectFrom('users').select('id').where('id', '!=', userId)
      return (await others.limit(1).executeTakeFirst()) === undefined
    },
    /** Returns true if no admin except this user can sign in. Until the transaction ends, no other one can remove admins. */
    async isLast(userId: string, now: number, transaction: DatabaseTransaction): Promise<boolean> {
      await lockAdmins(transaction)
      return !(await hasOtherAdmin(transaction, userId, now))
    },
    /** Returns `last`, and does nothing, if no other admin can sign in, and `none` if the user is not an admin. */
    async remove(userId: string, now: number, transaction: DatabaseTransaction): Promise<'removed' | 'last' | 'none'> {
      const admins = await lockAdmins(transaction)
      if (!admins.includes(userId)) return 'none'
      if (!(await hasOtherAdmin(transaction, userId, now))) return 'last'
      await transaction.deleteFrom('admins').where('user_id', '=', userId).execute()
      return 'removed'
    },
  }
}

export type AdminsStore = ReturnType<typeof createAdminsStore>

/** Locks the rows of all admins, in the same order in each transaction so that two never wait for each other. */
async function lockAdmins(transaction: DatabaseTransaction): Promise<string[]> {
  const admins = transaction.selectFrom('admins').select('user_id').orderBy('user_id')
  const rows = await (isSqlite(transaction) ? admins : admins.forUpdate()).execute()
  return rows.map(({ user_id }) => user_id)
}

/** Returns true if another admin is neither banned nor deleted. */
async function hasOtherAdmin(db: Database | DatabaseTransaction, userId: string, now: number): Promise<boolean> {
  const other = await db
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select('admins.user_id')
    .where('admins.user_id', '!=', userId)
    .where('users.deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('users.banned_until', 'is', null), eb('users.banned_until', '<=', now)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
