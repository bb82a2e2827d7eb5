import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const passwordProofs: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema.alterTable('sign_ins').addColumn('proved_at', int8).execute()
    await strictTable(db, 'previous_account_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('key_version', 'integer', (column) => column.notNull())
      .addColumn('profile', 'integer', (column) => column.notNull())
      .addColumn('wrapped_key', 'text', (column) => column.notNull())
      .addColumn('replaced_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('previous_account_keys_user').on('previous_account_keys').column('user_id').execute()
    await db.schema.createIndex('previous_account_keys_age').on('previous_account_keys').column('replaced_at').execute()
  },
}
