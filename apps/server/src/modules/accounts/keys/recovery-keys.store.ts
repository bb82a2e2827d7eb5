import type { Database } from '../../../platform/db/schema.ts'

interface RecoveryKey {
  readonly keyVersion: number
  readonly wrappedKey: string
  readonly createdAt: number
}

/** SQL for account keys wrapped under a recovery key: at most one per account. */
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

    /** Stores the key and replaces an earlier one. Returns false if it does not wrap the current account key. */
    async save(userId: string, { keyVersion, wrappedKey, createdAt }: RecoveryKey): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const current = await transaction
          .updateTable('account_keys')
          .set((column) => ({ created_at: column.ref('created_at') }))
          .where('user_id', '=', userId)
          .where('slot', '=', 1)
          .returning('key_version')
          .executeTakeFirst()
        if (current?.key_version !== keyVersion) return false
        const row = { key_version: keyVersion, wrapped_key: wrappedKey, created_at: createdAt }
        await transaction
          .insertInto('recovery_keys')
          .values({ user_id: userId, ...row })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
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
