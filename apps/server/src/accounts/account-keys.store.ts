import type { Database } from '../db/schema.ts'

interface NewKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

const firstSlot = 1

/** SQL for wrapped account keys. A second slot is filled only while a password changes. */
export function createAccountKeysStore(db: Database) {
  return {
    async list(userId: string) {
      return db
        .selectFrom('account_keys')
        .select(['slot', 'key_version as keyVersion', 'profile', 'wrapped_key as wrappedKey'])
        .where('user_id', '=', userId)
        .orderBy('slot')
        .execute()
    },
    /** Keeps the account's first key; false when the account has keys, which then stay as they are. */
    async create(userId: string, key: NewKey, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const present = await transaction
          .selectFrom('account_keys')
          .select('slot')
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (present) return false
        const created = await transaction
          .insertInto('account_keys')
          .values({
            user_id: userId,
            slot: firstSlot,
            key_version: key.keyVersion,
            profile: key.profile,
            wrapped_key: key.wrappedKey,
            created_at: now,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('slot')
          .executeTakeFirst()
        return created !== undefined
      })
    },
  }
}

export type AccountKeysStore = ReturnType<typeof createAccountKeysStore>
