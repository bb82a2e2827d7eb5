import type { Database, Tables } from '../db/schema.ts'

export type PinnedSalt = Tables['account_salts']

/** SQL for the salts that were handed out to accounts that exist. */
export function createSaltsStore(db: Database) {
  return {
    async find(identifier: string): Promise<Pick<PinnedSalt, 'salt' | 'profile'> | null> {
      const pinned = await db
        .selectFrom('account_salts')
        .select(['salt', 'profile'])
        .where('identifier', '=', identifier)
        .executeTakeFirst()
      return pinned ?? null
    },
    /** Keeps the salt of an identifier; one that is kept already stays, with the strongest profile that was shown. */
    async pin(salt: PinnedSalt): Promise<void> {
      await db
        .insertInto('account_salts')
        .values(salt)
        .onConflict((conflict) =>
          conflict
            .column('identifier')
            .doUpdateSet({ profile: salt.profile })
            .where('account_salts.user_id', '=', salt.user_id)
            .where('account_salts.profile', '<', salt.profile),
        )
        .execute()
    },
    /** Whoever goes by another name from now on keeps the salt that their login secret was derived with. */
    async follow(userId: string, from: string | null, to: string): Promise<void> {
      if (from === null) return
      const kept = await db
        .selectFrom('account_salts')
        .select(['salt', 'profile'])
        .where('user_id', '=', userId)
        .where('identifier', '=', from)
        .executeTakeFirst()
      if (!kept) return
      await db
        .insertInto('account_salts')
        .values({ identifier: to, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ user_id: userId, ...kept }))
        .execute()
    },
  }
}

export type SaltsStore = ReturnType<typeof createSaltsStore>
