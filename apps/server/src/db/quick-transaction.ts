import { sql } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Database, DatabaseTransaction } from './schema.ts'
import { mayBeLost } from './sqlite.ts'

/**
 * A transaction that does not wait for the disk: a crash of the process cannot undo it, a power cut may. Only for what
 * can be lost without harm; the next ordinary transaction makes it last.
 */
export async function quickTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  if (!isSqlite(db)) {
    return db.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = off`.execute(transaction)
      return work(transaction)
    })
  }
  return mayBeLost.run(true, () => db.transaction().execute(work))
}
