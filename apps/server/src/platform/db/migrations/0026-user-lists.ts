import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isSqlite } from '../dialect.ts'
import { bigintType, strictTable } from './columns.ts'

/** Counters of accounts, the licences they have at present, and the indexes by which admins sort them. */
export const userLists: Migration = {
  async up(db) {
    for (const counter of ['file_count', 'files_uploaded', 'own_downloads', 'share_downloads'])
      await addCounter(db, counter)
    await sql`
      update storage_use set
        file_count = (select count(*) from files where owner_id = storage_use.user_id),
        files_uploaded = (select count(*) from files where owner_id = storage_use.user_id),
        share_downloads = coalesce((
          select sum(shares.downloads) from shares join files on files.id = shares.file_id
          where files.owner_id = storage_use.user_id
        ), 0)
    `.execute(db)
    await sql`
      update storage_use set own_downloads = coalesce((
        select sum(downloads) from files where owner_id = storage_use.user_id
      ), 0) - share_downloads
      where coalesce((select sum(downloads) from files where owner_id = storage_use.user_id), 0) > share_downloads
    `.execute(db)
    await strictTable(db, 'effective_licences')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('valid_until', bigintType(db))
      .execute()
    // Derived again by the first run of the job.
    await sql`
      insert into effective_licences (user_id, type, valid_until)
      select user_id, type, 0 from licences where source = 'registration'
    `.execute(db)
    await createIndexes(db)
  },
}

async function addCounter(db: Kysely<unknown>, counter: string): Promise<void> {
  await db.schema
    .alterTable('storage_use')
    .addColumn(counter, bigintType(db), (column) => column.notNull().defaultTo(0))
    .execute()
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const present = sql<boolean>`deleted_at is null`
  await sql`create index users_created on users (created_at, id) where ${present}`.execute(db)
  // SQLite sorts null first anyway.
  const nullsFirst = isSqlite(db) ? sql`` : sql`nulls first`
  await sql`create index users_last_sign_in on users (last_sign_in_at ${nullsFirst}, id) where ${present}`.execute(db)
  await db.schema.createIndex('storage_use_bytes').on('storage_use').columns(['used_bytes', 'user_id']).execute()
  await db.schema.createIndex('storage_use_files').on('storage_use').columns(['file_count', 'user_id']).execute()
  await db.schema.createIndex('effective_licences_type').on('effective_licences').columns(['type', 'user_id']).execute()
  await db.schema.createIndex('effective_licences_end').on('effective_licences').column('valid_until').execute()
}
