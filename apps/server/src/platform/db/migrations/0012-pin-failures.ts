import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const pinFailures: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'pin_failures')
      .addColumn('source_hash', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('window_ends_at', int8, (column) => column.notNull())
      .addColumn('lock_ends_at', int8, (column) => column.notNull())
      .addColumn('locks', 'integer', (column) => column.notNull())
      .execute()
    await strictTable(db, 'pin_hours')
      .addColumn('hour', int8, (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('joins', 'integer', (column) => column.notNull())
      .execute()
  },
}
