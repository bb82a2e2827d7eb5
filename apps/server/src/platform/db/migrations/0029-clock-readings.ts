import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** The times that the nodes have last seen, so that a start notices a wrong clock. */
export const clockReadings: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'clock_readings')
      .addColumn('boot_id', 'text', (column) => column.primaryKey())
      .addColumn('time', int8, (column) => column.notNull())
      .addColumn('uptime_ms', int8, (column) => column.notNull())
      .addColumn('confirmations', int8, (column) => column.notNull())
      .execute()
  },
}
