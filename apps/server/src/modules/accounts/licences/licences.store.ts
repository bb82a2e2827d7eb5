import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { markStale } from './effective-licences.store.ts'
import type { Licence, LicenceSource } from './licence.rules.ts'

interface LicenceGrant {
  readonly userId: string
  readonly source: LicenceSource
  readonly licence: Licence
  readonly now: number
}

/** SQL for the licences of accounts, one for each source. */
export function createLicencesStore(db: Database) {
  return {
    list: (userIds: readonly string[]) =>
      db
        .selectFrom('licences')
        .select(['user_id', 'type', 'storage_limit_bytes', 'expires_at', 'source'])
        .where('user_id', 'in', userIds)
        .execute(),
    /** Grants a licence by an operator. It replaces licences from links and keys, but not paid ones. */
    async grantByAdmin(grant: Omit<LicenceGrant, 'source'>, transaction?: DatabaseTransaction): Promise<void> {
      if (transaction) return grantByAdmin(transaction, grant)
      await db.transaction().execute((own) => grantByAdmin(own, grant))
    },
  }
}

export type LicencesStore = ReturnType<typeof createLicencesStore>

async function grantByAdmin(transaction: DatabaseTransaction, grant: Omit<LicenceGrant, 'source'>): Promise<void> {
  await transaction
    .deleteFrom('licences')
    .where('user_id', '=', grant.userId)
    .where('source', 'in', ['magic-link', 'licence-key'])
    .execute()
  await grantLicence(transaction, { ...grant, source: 'admin' })
}

/** Grants an account a licence and replaces an earlier one of the same source. */
export async function grantLicence(transaction: DatabaseTransaction, grant: LicenceGrant): Promise<void> {
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
  await markStale(transaction, userId, licence.type)
}
