import { expirationLimits } from '@sallyport/contract/limits'
import type { Arrival } from '../auth/users.store.ts'
import type { Database, DatabaseTransaction } from '../db/schema.ts'
import { trialLicence } from './licence.rules.ts'

/** SQL for what an account holds beside its user: licence, room and settings. */
export function createAccountsStore(db: Database) {
  return {
    async findLicence(userId: string) {
      const licence = await db
        .selectFrom('licences')
        .select(['type', 'storage_limit_bytes', 'expires_at'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return licence ?? null
    },
    /** Bytes that are taken, those of uploads under way among them. */
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
      return settings?.expiration_minutes ?? expirationLimits.defaultMinutes
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

/** Gives a new user the trial licence and empty room; what is there already stays as it is. */
export async function furnishAccount(transaction: DatabaseTransaction, { userId, now }: Arrival): Promise<void> {
  const { type, storageBytes, expiresAt } = trialLicence(now)
  await transaction
    .insertInto('licences')
    .values({
      user_id: userId,
      type,
      storage_limit_bytes: storageBytes,
      expires_at: expiresAt,
      source: 'registration',
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await transaction
    .insertInto('storage_use')
    .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
