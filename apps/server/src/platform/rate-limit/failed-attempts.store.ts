import { type FailedAttemptKind, failedAttemptKinds } from '@sallyport/contract/admin-security'
import { sql } from 'kysely'
import type { CountTables } from '../db/count-tables.ts'
import { nonDurableTransaction } from '../db/non-durable-transaction.ts'
import type { Database } from '../db/schema.ts'

export type FailedAttemptsOfDay = Readonly<Record<FailedAttemptKind, number>> &
  Pick<CountTables['failed_attempts'], 'day' | 'network'>

/** SQL for the failed attempts of each day and network. */
export function createFailedAttemptsStore(db: Database) {
  return {
    /** Adds to what is stored. A power cut may lose it. */
    async add(rows: readonly FailedAttemptsOfDay[]): Promise<void> {
      await nonDurableTransaction(db, (transaction) =>
        transaction
          .insertInto('failed_attempts')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['day', 'network'])
              .doUpdateSet(
                Object.fromEntries(
                  failedAttemptKinds.map((kind) => [
                    kind,
                    sql`${sql.ref(`failed_attempts.${kind}`)} + ${sql.ref(`excluded.${kind}`)}`,
                  ]),
                ),
              ),
          )
          .execute(),
      )
    },
    async removeBefore(day: string): Promise<void> {
      await db.deleteFrom('failed_attempts').where('day', '<', day).execute()
    },
  }
}

export type FailedAttemptsStore = ReturnType<typeof createFailedAttemptsStore>
