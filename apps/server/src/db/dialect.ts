import type { Kysely, SelectQueryBuilder } from 'kysely'

/** A connection or a transaction, whatever its tables. */
type AnyDatabase = Pick<Kysely<unknown>, 'getExecutor'>

/** True on the embedded database. */
export const isSqlite = (db: AnyDatabase): boolean => db.getExecutor().adapter.constructor.name.includes('Sqlite')

/**
 * At most so many of these rows, for a statement that removes or changes them. Several nodes may run it at once: each
 * passes by what another has taken.
 */
export function takeSome<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  rows: SelectQueryBuilder<Tables, Table, Row>,
  most: number,
): SelectQueryBuilder<Tables, Table, Row> {
  const some = rows.limit(most)
  return isSqlite(db) ? some : some.forUpdate().skipLocked()
}
