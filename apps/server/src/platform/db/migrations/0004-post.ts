import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const mailQueue: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'post_queue')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', int8, (column) => column.notNull())
      .addColumn('claim', 'text')
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('give_up_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('post_queue_due').on('post_queue').columns(['channel', 'next_at']).execute()
  },
}
