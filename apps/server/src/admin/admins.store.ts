import type { Database } from '../db/schema.ts'

/** SQL for who runs this instance. */
export function createAdminsStore(db: Database) {
  return {
    async add(userId: string, now: number): Promise<void> {
      await db
        .insertInto('admins')
        .values({ user_id: userId, since: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    /** Makes somebody the first admin; nothing happens when there is one already. */
    async addFirst(userId: string, now: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (await transaction.selectFrom('admins').select('user_id').limit(1).executeTakeFirst()) return
        await transaction.insertInto('admins').values({ user_id: userId, since: now }).execute()
      })
    },
    async isAlone(userId: string): Promise<boolean> {
      const others = db.selectFrom('users').select('id').where('id', '!=', userId)
      return (await others.limit(1).executeTakeFirst()) === undefined
    },
    /** `last` when nobody else would be left to run the instance, `none` when they were no admin. */
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
