import { isSqlite } from '../../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'

interface EffectiveLicence {
  readonly userId: string
  readonly type: string
  /** When it has to be derived again; null if only a new licence changes it. */
  readonly validUntil: number | null
}

/** SQL for the licences that accounts have at present, by which lists are sorted and filtered. */
export function createEffectiveLicencesStore(db: Database) {
  return {
    /** Replaces the licences of accounts; those of deleted users are left out. */
    async save(licences: readonly EffectiveLicence[]): Promise<void> {
      if (licences.length === 0) return
      const ids = licences.map(({ userId }) => userId)
      await db.transaction().execute(async (transaction) => {
        const found = transaction.selectFrom('users').select('id').where('id', 'in', ids)
        // They cannot be deleted before their rows are stored.
        const users = await (isSqlite(transaction) ? found : found.orderBy('id').forKeyShare()).execute()
        const present = new Set(users.map(({ id }) => id))
        const rows = licences
          .filter(({ userId }) => present.has(userId))
          // Always in the same order, because transactions that lock the same rows in opposite orders would deadlock.
          .toSorted((one, other) => (one.userId < other.userId ? -1 : 1))
          .map(({ userId, type, validUntil }) => ({ user_id: userId, type, valid_until: validUntil }))
        if (rows.length === 0) return
        await transaction
          .insertInto('effective_licences')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet((row) => ({
              type: row.ref('excluded.type'),
              valid_until: row.ref('excluded.valid_until'),
            })),
          )
          .execute()
      })
    },
    /** Users after this id, in order. */
    async userIds(after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('users')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    /** Users after this id whose licence has to be derived again, in order. */
    async staleUserIds(now: number, after: string, limit: number): Promise<string[]> {
      const stale = db.selectFrom('effective_licences').select('user_id').where('valid_until', '<=', now)
      const some = await stale.where('user_id', '>', after).orderBy('user_id').limit(limit).execute()
      return some.map(({ user_id }) => user_id)
    },
  }
}

export type EffectiveLicencesStore = ReturnType<typeof createEffectiveLicencesStore>

/** Notes that an account was granted a licence, and that its effective one has to be derived again. */
export async function markStale(transaction: DatabaseTransaction, userId: string, type: string): Promise<void> {
  await transaction
    .insertInto('effective_licences')
    .values({ user_id: userId, type, valid_until: 0 })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ valid_until: 0 }))
    .execute()
}
