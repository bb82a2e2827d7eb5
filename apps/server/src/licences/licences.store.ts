import type { Database, DatabaseTransaction } from '../db/schema.ts'
import type { Licence, LicenceSource } from './licence.rules.ts'

interface Grant {
  readonly userId: string
  readonly source: LicenceSource
  readonly licence: Licence
  readonly now: number
}

/** SQL for the licences of accounts, one for each source they can come from. */
export function createLicencesStore(db: Database) {
  return {
    list: (userId: string) =>
      db
        .selectFrom('licences')
        .select(['type', 'storage_limit_bytes', 'expires_at', 'source'])
        .where('user_id', '=', userId)
        .execute(),
    /** What an operator decides takes the place of what the account was given before, but not of what is paid for. */
    async decide(grant: Omit<Grant, 'source'>): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('licences')
          .where('user_id', '=', grant.userId)
          .where('source', 'in', ['magic-link', 'licence-key'])
          .execute()
        await grantLicence(transaction, { ...grant, source: 'admin' })
      })
    },
  }
}

export type LicencesStore = ReturnType<typeof createLicencesStore>

/** Gives an account the licence of a source, in place of an earlier one of the same source. */
export async function grantLicence(transaction: DatabaseTransaction, grant: Grant): Promise<void> {
  const { userId, source, licence, now } = grant
  const terms = {
    type: licence.type,
    storage_limit_bytes: licence.storageBytes,
    expires_at: licence.expiresAt,
    updated_at: now,
  }
  await transaction
    .insertInto('licences')
    .values({ user_id: userId, source, ...terms })
    .onConflict((conflict) => conflict.columns(['user_id', 'source']).doUpdateSet(terms))
    .execute()
}
