import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const sessions: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('creator_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('pin_hash', 'text', (column) => column.notNull().unique())
      .addColumn('key_mode', 'text', (column) => column.notNull())
      .addColumn('link_check', 'text')
      .addColumn('expiration_minutes', 'integer', (column) => column.notNull())
      .addColumn('locked', 'integer', (column) => column.notNull())
      .addColumn('approval', 'integer', (column) => column.notNull())
      .addColumn('message_count', 'integer', (column) => column.notNull())
      .addColumn('last_message_at', int8, (column) => column.notNull())
      .addColumn('last_admission', 'integer', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('creator_seen_at', int8, (column) => column.notNull())
      .addColumn('ends_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sessions_creator').on('sessions').column('creator_id').execute()

    // The session's row holds the PIN; this table only holds the time at which it can be reused.
    await strictTable(db, 'resting_pins')
      .addColumn('pin_hash', 'text', (column) => column.primaryKey())
      .addColumn('free_at', int8, (column) => column.notNull())
      .execute()

    // Separate from the sessions, so that a copy of those contains no key shares.
    await strictTable(db, 'session_key_shares')
      .addColumn('session_id', 'text', (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
      .addColumn('sealed_share', 'text', (column) => column.notNull())
      .execute()

    await strictTable(db, 'session_participants')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('sealed_name', 'text')
      .addColumn('is_creator', 'integer', (column) => column.notNull())
      .addColumn('joined_at', int8, (column) => column.notNull())
      .addColumn('seen_at', int8, (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('session_participants_session')
      .on('session_participants')
      .columns(['session_id', 'seen_at'])
      .execute()

    await strictTable(db, 'session_knocks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('session_knocks_session').on('session_knocks').column('session_id').execute()

    await strictTable(db, 'session_messages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('participant_id', 'text')
      .addColumn('sealed_name', 'text')
      .addColumn('wrapped_key', 'text', (column) => column.notNull())
      .addColumn('sealed_text', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addUniqueConstraint('session_messages_time', ['session_id', 'created_at'] as never)
      .execute()

    await strictTable(db, 'session_admissions')
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('participant_id', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addPrimaryKeyConstraint('session_admissions_key', ['session_id', 'seq'] as never)
      .execute()

    // No foreign key: the sweep finds the files and uploads of a deleted session by their dangling ids.
    for (const table of ['files', 'uploads']) {
      await db.schema.alterTable(table).addColumn('session_id', 'text').execute()
      await db.schema
        .createIndex(`${table}_session`)
        .on(table)
        .column('session_id')
        .where('session_id' as never, 'is not', null)
        .execute()
    }
  },
}
