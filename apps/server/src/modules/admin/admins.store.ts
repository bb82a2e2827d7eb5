import { isSqlite } from '../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'

interface BanInput {
  /** The admin who bans. */
  readonly actorId: string
  readonly userId: string
  readonly until: number
  readonly now: number
}

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
    isOnlyUser: async (userId: string): Promise<boolean> => !(await hasOtherUser(db, userId)),
    /** Whether this user is an admin; until the transaction ends, nobody can change that. */
    isAdminForUpdate: async (userId: string, transaction: DatabaseTransaction): Promise<boolean> =>
      (await lockAdmins(transaction)).includes(userId),
    /** Takes the admin rights of an account that is deleted next. Returns `last`, and does nothing, if users remain without an admin. */
    async removeBeforeDeletion(userId: string, now: number): Promise<'removed' | 'last'> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAdmins(transaction)).includes(userId)) return 'removed'
        const isLast = !(await hasOtherAdmin(transaction, userId, now))
        if (isLast && (await hasOtherUser(transaction, userId))) return 'last'
        await transaction.deleteFrom('admins').where('user_id', '=', userId).execute()
        return 'removed'
      })
    },
    /**
     * Bans a user until this time, unless they are the last admin who can sign in, or the admin who does it is none any
     * more.
     */
    async ban({ actorId, userId, until, now }: BanInput): Promise<'banned' | 'last' | 'forbidden'> {
      return db.transaction().execute(async (transaction) => {
        const admins = await lockAdmins(transaction)
        if (!admins.includes(actorId)) return 'forbidden'
        if (admins.includes(userId) && !(await hasOtherAdmin(transaction, userId, now))) return 'last'
        await transaction.updateTable('users').set({ banned_until: until }).where('id', '=', userId).execute()
        return 'banned'
      })
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

async function hasOtherUser(db: Database | DatabaseTransaction, userId: string): Promise<boolean> {
  const others = db.selectFrom('users').select('id').where('id', '!=', userId).where('deleted_at', 'is', null)
  return (await others.limit(1).executeTakeFirst()) !== undefined
}

/** Returns true if another admin is confirmed, and neither banned nor deleted. */
async function hasOtherAdmin(db: Database | DatabaseTransaction, userId: string, now: number): Promise<boolean> {
  const other = await db
    .selectFrom('admins')
    .innerJoin('users', 'users.id', 'admins.user_id')
    .select('admins.user_id')
    .where('admins.user_id', '!=', userId)
    .where('users.deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('users.banned_until', 'is', null), eb('users.banned_until', '<=', now)]))
    .where(({ eb, or }) =>
      or([eb('users.email_confirmed_at', 'is not', null), eb('users.phone_confirmed_at', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
