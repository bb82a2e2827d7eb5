import type { Migration } from 'kysely/migration'
import { strictTable } from './columns.ts'

/** Which secrets this database belongs to, so that a start with other ones is noticed. */
export const secretFingerprints: Migration = {
  async up(db) {
    await strictTable(db, 'secret_fingerprints')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .execute()
  },
}
