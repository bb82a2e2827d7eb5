import type { ColumnDataType, CreateTableBuilder, Kysely } from 'kysely'
import { sql } from 'kysely'
import { isSqlite } from '../dialect.ts'

/** The column type of a 64-bit integer. */
export const bigintType = (db: Kysely<unknown>): ColumnDataType => (isSqlite(db) ? 'integer' : 'bigint')

/** A table whose column types are enforced on both databases. */
export function strictTable(db: Kysely<unknown>, name: string): CreateTableBuilder<string, never> {
  const table = db.schema.createTable(name)
  return isSqlite(db) ? table.modifyEnd(sql`strict`) : table
}
