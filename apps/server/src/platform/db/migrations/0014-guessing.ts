import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const guessing: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'known_origins')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('origin_hash', 'text', (column) => column.notNull())
      .addColumn('seen_at', int8, (column) => column.notNull())
      .addPrimaryKeyConstraint('known_origins_key', ['user_id', 'origin_hash'] as never)
      .execute()
    await db.schema.createIndex('known_origins_age').on('known_origins').column('seen_at').execute()
    await strictTable(db, 'released_salts')
      .addColumn('identifier_hash', 'text', (column) => column.primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .execute()
    await db.schema.alterTable('users').addColumn('email_proven_at', int8).execute()
    // An address is proven only if an email was sent to it before it was confirmed.
    await sql`
      update users set email_proven_at = email_confirmed_at
      where confirmation_sent_at is not null or invited_at is not null
    `.execute(db)
  },
}
