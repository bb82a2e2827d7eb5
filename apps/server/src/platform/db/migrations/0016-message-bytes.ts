import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bigintType } from './columns.ts'

/** Adds the size of messages, which counts toward the account's storage, and a covering index for pages. */
export const messageBytes: Migration = {
  async up(db) {
    for (const table of ['messages', 'session_messages']) {
      await db.schema
        .alterTable(table)
        .addColumn('bytes', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .alterTable('sessions')
      .addColumn('message_bytes', bigintType(db), (column) => column.notNull().defaultTo(0))
      .execute()

    await sql`update messages set bytes = octet_length(wrapped_key) + octet_length(sealed_text)`.execute(db)
    await sql`
      update session_messages
      set bytes = octet_length(wrapped_key) + octet_length(sealed_text) + coalesce(octet_length(sealed_name), 0)
    `.execute(db)
    await sql`
      update sessions set message_bytes =
        coalesce((select sum(bytes) from session_messages where session_id = sessions.id), 0)
    `.execute(db)
    await sql`
      insert into storage_use (user_id, used_bytes, reserved_bytes)
      select id, 0, 0 from users
      where not exists (select 1 from storage_use where user_id = users.id)
        and (exists (select 1 from messages where owner_id = users.id)
          or exists (select 1 from sessions where creator_id = users.id))
    `.execute(db)
    await sql`
      update storage_use set used_bytes = used_bytes
        + coalesce((select sum(bytes) from messages where owner_id = storage_use.user_id), 0)
        + coalesce((select sum(message_bytes) from sessions where creator_id = storage_use.user_id), 0)
    `.execute(db)

    // The indexes cover everything needed to find the end of a page, so that no text is read for that.
    await db.schema.createIndex('messages_page').on('messages').columns(['owner_id', 'created_at', 'bytes']).execute()
    await db.schema
      .createIndex('session_messages_page')
      .on('session_messages')
      .columns(['session_id', 'created_at', 'bytes'])
      .execute()
  },
}
