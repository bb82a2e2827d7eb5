import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const accountKeys: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'recovery_keys')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('key_version', 'integer', (column) => column.notNull())
      .addColumn('wrapped_key', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
    // No foreign key to sign_ins, because a hosted provider stores those itself.
    await strictTable(db, 'device_shares')
      .addColumn('sign_in_id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('share', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('device_shares_user').on('device_shares').column('user_id').execute()
    await db.schema.createIndex('device_shares_age').on('device_shares').column('created_at').execute()
    await db.schema
      .alterTable('files')
      .addColumn('lost', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
