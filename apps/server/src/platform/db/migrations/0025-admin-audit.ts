import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isSqlite } from '../dialect.ts'
import { bigintType, strictTable } from './columns.ts'

/** The audit log of administrative changes, to which the database only lets rows be appended. */
export const adminAudit: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'admin_audit')
      .addColumn('seq', int8, (column) => column.primaryKey())
      .addColumn('at', int8, (column) => column.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text')
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('previous_hash', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute()
    await (isSqlite(db) ? createSqliteTriggers(db) : createPostgresTriggers(db))
  },
}

async function createSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  for (const event of ['update', 'delete'])
    await sql`
      create trigger ${sql.id(`admin_audit_no_${event}`)} before ${sql.raw(event)} on admin_audit
      begin select raise(abort, 'admin_audit is append-only'); end
    `.execute(db)
  // `insert or replace` deletes the previous row without the delete trigger.
  await sql`
    create trigger admin_audit_no_replace before insert on admin_audit
    when exists (select 1 from admin_audit where seq = new.seq)
    begin select raise(abort, 'admin_audit is append-only'); end
  `.execute(db)
}

async function createPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function reject_admin_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'admin_audit is append-only'; end $$
  `.execute(db)
  await sql`
    create trigger admin_audit_append_only before update or delete or truncate on admin_audit
    for each statement execute function reject_admin_audit_change()
  `.execute(db)
}
