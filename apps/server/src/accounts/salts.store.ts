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
    /** Keeps the salt of an identifier; one that is kept already stays. */
    async pin(salt: PinnedSalt): Promise<void> {
      await db
        .insertInto('account_salts')
        .values(salt)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
  }
}

export type SaltsStore = ReturnType<typeof createSaltsStore>
