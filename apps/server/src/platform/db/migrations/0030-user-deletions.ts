import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** The accounts that are being deleted, and how far that is. */
export const userDeletions: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema.alterTable('users').addColumn('deleting_since', int8).execute()
    await strictTable(db, 'user_deletions')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('claim', 'text')
      .addColumn('due_at', int8, (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('error', 'text')
      .execute()
    await db.schema.createIndex('user_deletions_due').on('user_deletions').column('due_at').execute()
  },
}
