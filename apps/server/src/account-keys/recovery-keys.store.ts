import type { Database } from '../db/schema.ts'

interface RecoveryKey {
  readonly keyVersion: number
  readonly wrappedKey: string
  readonly createdAt: number
}

/** SQL for account keys wrapped under a recovery key: one for an account at most. */
export function createRecoveryKeysStore(db: Database) {
  return {
    async find(userId: string): Promise<RecoveryKey | null> {
      const found = await db
        .selectFrom('recovery_keys')
        .select(['key_version as keyVersion', 'wrapped_key as wrappedKey', 'created_at as createdAt'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return found ?? null
    },

    /** Keeps it in place of an earlier one; false when it does not wrap the account key that is in use. */
    async save(userId: string, { keyVersion, wrappedKey, createdAt }: RecoveryKey): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const inUse = await transaction
          .updateTable('account_keys')
          .set((column) => ({ created_at: column.ref('created_at') }))
          .where('user_id', '=', userId)
          .where('slot', '=', 1)
          .returning('key_version')
          .executeTakeFirst()
        if (inUse?.key_version !== keyVersion) return false
        const kept = { key_version: keyVersion, wrapped_key: wrappedKey, created_at: createdAt }
        await transaction
          .insertInto('recovery_keys')
          .values({ user_id: userId, ...kept })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(kept))
          .execute()
        return true
      })
    },

    async remove(userId: string): Promise<void> {
      await db.deleteFrom('recovery_keys').where('user_id', '=', userId).execute()
    },
  }
}

export type RecoveryKeysStore = ReturnType<typeof createRecoveryKeysStore>
