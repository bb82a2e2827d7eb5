import { dayOf } from '@sallyport/contract/days'
import { sql } from 'kysely'
import type { CountTables } from './count-tables.ts'
import { isSqlite } from './dialect.ts'
import { nonDurableTransaction } from './non-durable-transaction.ts'
import type { Database, DatabaseTransaction } from './schema.ts'

export const dailyCountNames = [
  'active_users',
  'new_users',
  'uploads',
  'uploaded_bytes',
  'downloads',
  'downloaded_bytes',
  'shares',
  'sessions',
  'portals',
] as const satisfies readonly (keyof CountTables['daily_counts'])[]

type DailyCountName = (typeof dailyCountNames)[number]
export type DailyCounts = Readonly<Record<DailyCountName, number>>

const postgresShards = 16

/**
 * Adds to the counts of a day in the transaction of what is counted. Must come after all locks that another transaction
 * may hold: nothing that holds the row then waits, and other transactions wait for the commit at most.
 */
export async function countOnDay(
  transaction: DatabaseTransaction,
  time: number,
  counts: Partial<DailyCounts>,
): Promise<void> {
  // The same row for all counts of a transaction, so that two transactions never wait for each other.
  const shard = isSqlite(transaction) ? 0 : sql<number>`pg_backend_pid() % ${sql.lit(postgresShards)}`
  const names = Object.keys(counts) as DailyCountName[]
  await transaction
    .insertInto('daily_counts')
    .values({ day: dayOf(time), shard, ...counts })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'shard'])
        .doUpdateSet(
          Object.fromEntries(names.map((name) => [name, sql`daily_counts.${sql.ref(name)} + ${counts[name]}`])),
        ),
    )
    .execute()
}

/** Counts what has no transaction of its own. A power cut may lose it. */
export const countNow = (db: Database, time: number, counts: Partial<DailyCounts>): Promise<void> =>
  nonDurableTransaction(db, (transaction) => countOnDay(transaction, time, counts))

/** The day on which this database began to count: that of the migration which created the tables. */
export async function countedSince(db: Database): Promise<string> {
  const { rows } = await sql<{ timestamp: string }>`
    select timestamp from kysely_migration where name = '0031-daily-counts'
  `.execute(db)
  return rows[0]?.timestamp.slice(0, 'yyyy-mm-dd'.length) ?? ''
}
