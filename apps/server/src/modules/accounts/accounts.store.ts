import type { Database } from '../../platform/db/schema.ts'

/** SQL for the storage use and the settings of accounts. The default lifetime applies until an account has chosen one. */
export function createAccountsStore(db: Database, defaultExpirationMinutes: number) {
  return {
    /** Used bytes, including those reserved by uploads in progress. */
    async storageUsed(userId: string): Promise<number> {
      const use = await db
        .selectFrom('storage_use')
        .select(['used_bytes', 'reserved_bytes'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return use ? use.used_bytes + use.reserved_bytes : 0
    },
    async expirationMinutes(userId: string): Promise<number> {
      const settings = await db
        .selectFrom('account_settings')
        .select('expiration_minutes')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return settings?.expiration_minutes ?? defaultExpirationMinutes
    },
    async saveExpirationMinutes(userId: string, minutes: number): Promise<void> {
      await db
        .insertInto('account_settings')
        .values({ user_id: userId, expiration_minutes: minutes })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ expiration_minutes: minutes }))
        .execute()
    },
  }
}

export type AccountsStore = ReturnType<typeof createAccountsStore>
