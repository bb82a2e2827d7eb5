import type { Migration } from 'kysely/migration'
import { bigintType } from './columns.ts'

export const sessionAccess: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema
      .alterTable('pin_failures')
      .addColumn('drained_at', int8, (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('pin_hours')
      .addColumn('repeats', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Open sessions may have been joined already, so their PINs are reserved for a whole day.
    await db.schema
      .alterTable('sessions')
      .addColumn('was_joined', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema
      .alterTable('sessions')
      .addColumn('pin_exposed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('session_participants').addColumn('address_hash', 'text').execute()
    await db.schema
      .alterTable('session_participants')
      .addColumn('token_used', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('session_knocks')
      .addColumn('block_hash', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
