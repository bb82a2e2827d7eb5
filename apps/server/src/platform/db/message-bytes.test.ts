import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { newUser } from '../../modules/auth/users/new-user.ts'
import { createStorageCheckStore } from '../../modules/files/cleanup/storage-check.store.ts'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { messageBytes } from './migrations/0016-message-bytes.ts'

onBothDatabases('migration 0016: existing messages keep their texts and count as storage', async ({ db, now }) => {
  const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
  const sessionId = randomUUID()
  await db.insertInto('users').values(user).execute()
  const message = { id: randomUUID(), wrapped_key: 'kéy', sealed_text: 'text', created_at: 1, bytes: 0 }
  await db
    .insertInto('messages')
    .values({ ...message, owner_id: user.id, expires_at: 2 })
    .execute()
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      creator_id: user.id,
      pin_hash: 'hash',
      key_mode: 'pin',
      link_check: null,
      expiration_minutes: 10,
      locked: 0,
      approval: 0,
      message_count: 1,
      was_joined: 1,
      pin_exposed: 0,
      last_message_at: 1,
      last_admission: 0,
      created_at: 1,
      creator_seen_at: 1,
      ends_at: 2,
    })
    .execute()
  const ofSession = { ...message, session_id: sessionId, participant_id: null, sealed_name: 'name' }
  await db.insertInto('session_messages').values(ofSession).execute()
  // Restores the schema before the migration.
  for (const table of ['messages', 'session_messages'] as const) {
    await db.schema.dropIndex(`${table}_page`).execute()
    await db.schema.alterTable(table).dropColumn('bytes').execute()
  }
  await db.schema.alterTable('sessions').dropColumn('message_bytes').execute()

  await messageBytes.up(db)

  expect(await db.selectFrom('messages').selectAll().execute()).toMatchObject([{ sealed_text: 'text', bytes: 8 }])
  expect(await db.selectFrom('session_messages').selectAll().execute()).toMatchObject([{ bytes: 12 }])
  const uses = db.selectFrom('storage_use').select(['user_id', 'used_bytes', 'reserved_bytes'])
  expect(await uses.execute()).toEqual([{ user_id: user.id, used_bytes: 20, reserved_bytes: 0 }])
  expect(await createStorageCheckStore(db).findSuspects()).toEqual([])
})
