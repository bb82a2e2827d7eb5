import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** What happened in an account, without the files that it was about. */
export const accountActivity: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'account_activity')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('at', int8, (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('files', int8)
      .addColumn('bytes', int8)
      .execute()
    await db.schema.createIndex('account_activity_user').on('account_activity').columns(['user_id', 'at']).execute()
    await db.schema.createIndex('account_activity_age').on('account_activity').column('at').execute()
  },
}
