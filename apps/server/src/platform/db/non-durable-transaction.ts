import { sql } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Database, DatabaseTransaction } from './schema.ts'
import { nonDurable } from './sqlite.ts'

/**
 * Runs a transaction without waiting for an fsync. It survives a crash of the process, but not necessarily a power cut;
 * the next ordinary transaction makes it durable. Use it only for data that may be lost.
 */
export async function nonDurableTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  if (!isSqlite(db)) {
    return db.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = off`.execute(transaction)
      return work(transaction)
    })
  }
  return nonDurable.run(true, () => db.transaction().execute(work))
}
