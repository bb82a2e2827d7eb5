import type { Kysely, SelectQueryBuilder } from 'kysely'

/** A database or a transaction with any tables. */
type AnyDatabase = Pick<Kysely<unknown>, 'getExecutor'>

/** True on the embedded database. */
export const isSqlite = (db: AnyDatabase): boolean => db.getExecutor().adapter.constructor.name.includes('Sqlite')

/**
 * Limits a subquery of a statement that deletes or updates rows. Concurrent nodes skip the rows that another node has
 * locked.
 */
export function limitSkipLocked<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  rows: SelectQueryBuilder<Tables, Table, Row>,
  limit: number,
): SelectQueryBuilder<Tables, Table, Row> {
  const limited = rows.limit(limit)
  return isSqlite(db) ? limited : limited.forUpdate().skipLocked()
}
