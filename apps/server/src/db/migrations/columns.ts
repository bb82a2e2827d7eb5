import type { ColumnDataType, CreateTableBuilder, Kysely } from 'kysely'
import { sql } from 'kysely'
import { isSqlite } from '../dialect.ts'

/** A whole number of 64 bits on both databases. */
export const wide = (db: Kysely<unknown>): ColumnDataType => (isSqlite(db) ? 'integer' : 'bigint')

/** A table whose column types are enforced on both databases. */
export function strictTable(db: Kysely<unknown>, name: string): CreateTableBuilder<string, never> {
  const table = db.schema.createTable(name)
  return isSqlite(db) ? table.modifyEnd(sql`strict`) : table
}
