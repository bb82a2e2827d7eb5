import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const messages: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'messages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('wrapped_key', 'text', (column) => column.notNull())
      .addColumn('sealed_text', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('expires_at', int8, (column) => column.notNull())
      .addUniqueConstraint('messages_owner_time', ['owner_id', 'created_at'] as never)
      .execute()
    // The key of a third-party client may be too long for a PostgreSQL index.
    await db.schema.createIndex('messages_end').on('messages').column('expires_at').execute()
  },
}
