import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const licences: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await keyBySource(db)
    await strictTable(db, 'licence_offers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('storage_limit_bytes', int8, (column) => column.notNull())
      .addColumn('days', 'integer')
      .addColumn('seats', 'integer')
      .addColumn('uses', 'integer', (column) => column.notNull())
      .addColumn('mailed_to', 'text')
      .addColumn('ends_at', int8)
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
    await strictTable(db, 'licence_claims')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('offer_id', 'text', (column) => column.notNull().references('licence_offers.id').onDelete('cascade'))
      // A claim outlives its account, so that the key cannot be used again.
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
      .addColumn('claimed_at', int8, (column) => column.notNull())
      .addUniqueConstraint('licence_claims_once', ['offer_id', 'user_id'] as never)
      .execute()
    await db.schema.createIndex('licence_claims_user').on('licence_claims').column('user_id').execute()
    await strictTable(db, 'admins')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('since', int8, (column) => column.notNull())
      .execute()
  },
}

/** An account has one licence per source; the effective one is derived. */
async function keyBySource(db: Kysely<unknown>): Promise<void> {
  const int8 = bigintType(db)
  await strictTable(db, 'licences_by_source')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('storage_limit_bytes', int8, (column) => column.notNull())
    .addColumn('expires_at', int8)
    .addColumn('updated_at', int8, (column) => column.notNull())
    .addPrimaryKeyConstraint('licences_by_source_key', ['user_id', 'source'] as never)
    .execute()
  await sql`
    insert into licences_by_source (user_id, source, type, storage_limit_bytes, expires_at, updated_at)
    select user_id, source, type, storage_limit_bytes, expires_at, updated_at from licences
  `.execute(db)
  await db.schema.dropTable('licences').execute()
  await db.schema.alterTable('licences_by_source').renameTo('licences').execute()
}
