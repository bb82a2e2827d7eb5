import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { strictTable } from './columns.ts'

/** Stores a session's key share per epoch; removing a participant starts a new epoch. */
export const sessionKeyEpochs: Migration = {
  async up(db) {
    // SQLite cannot change a primary key, so the rows are copied to a new table.
    await strictTable(db, 'session_key_epochs')
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('epoch', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('sealed_share', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('session_key_epochs_key', ['session_id', 'epoch'] as never)
      .execute()
    await copyShares(db)
    await db.schema.dropTable('session_key_shares').execute()
    await db.schema.alterTable('session_key_epochs').renameTo('session_key_shares').execute()
  },
}

const copyShares = (db: Kysely<unknown>) =>
  sql`
    insert into session_key_epochs (session_id, epoch, sealed_share)
    select session_id, 0, sealed_share from session_key_shares
  `.execute(db)
