import type { Database } from '../../platform/db/schema.ts'

/** SQL for the admins of this instance. */
export function createAdminsStore(db: Database) {
  return {
    async add(userId: string, now: number): Promise<void> {
      await db
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
    /** Returns `last` for the only admin, who is not removed, and `none` if the user is not an admin. */
    async remove(userId: string): Promise<'removed' | 'last' | 'none'> {
      return db.transaction().execute(async (transaction) => {
        const admins = await transaction.selectFrom('admins').select('user_id').execute()
        if (!admins.some(({ user_id }) => user_id === userId)) return 'none'
        if (admins.length === 1) return 'last'
        await transaction.deleteFrom('admins').where('user_id', '=', userId).execute()
        return 'removed'
      })
    },
  }
}

export type AdminsStore = ReturnType<typeof createAdminsStore>
