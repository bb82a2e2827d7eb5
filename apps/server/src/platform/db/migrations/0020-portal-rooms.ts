import type { Migration } from 'kysely/migration'
import { strictTable } from './columns.ts'

/** The open portal rooms of a single node, so that a restart does not end them. */
export const portalRooms: Migration = {
  async up(db) {
    await strictTable(db, 'portal_rooms')
      .addColumn('code', 'text', (column) => column.primaryKey())
      .addColumn('room', 'text', (column) => column.notNull())
      .execute()
  },
}
