import { randomBytes, randomUUID } from 'node:crypto'
import { chatLimits } from '@sallyport/contract/limits'
import { listLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { createSealedMessage } from '../../testing/clients/sealed-message.ts'
import { onSessionServer, type SessionServer } from '../../testing/servers/session-server.ts'
import { createStorageCheckStore } from '../files/cleanup/storage-check.store.ts'

type Listed = { readonly id: string; readonly created_at: number }

const longText = 'x'.repeat(chatLimits.textBytes)

/** Stores messages of the maximum size, as a flood would. */
async function storeLong({ db }: SessionServer, sessionId: string, count: number): Promise<string[]> {
  const sealedText = randomBytes(65_000).toString('base64url')
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    session_id: sessionId,
    participant_id: null,
    sealed_name: null,
    wrapped_key: randomBytes(116).toString('base64url'),
    sealed_text: sealedText,
    created_at: 1000 + index,
    bytes: sealedText.length + 155,
  }))
  for (const row of rows) await db.insertInto('session_messages').values(row).execute()
  return rows.map(({ id }) => id)
}

const idsOf = (messages: readonly Listed[]): string[] => messages.map(({ id }) => id)

onSessionServer('SES-06 a response contains the newest page of at most 1 MB, oldest message first', async (server) => {
  const { createSession, get } = server
  const { id, pin } = await createSession()
  const stored = await storeLong(server, id, 40)

  const answer = await get(`/api/sessions/${id}/messages?session_pin=${pin}`)
  const { messages, before } = answer.json()

  expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(listLimits.pageBytes)
  expect(messages.length).toBeGreaterThan(8)
  expect(idsOf(messages)).toEqual(stored.slice(-messages.length))
  expect(before).toBe(messages[0].created_at)
})

onSessionServer('SES-06 pages before and after a cursor return every message once, in order', async (server) => {
  const { createSession, get } = server
  const { id, token } = await createSession()
  const stored = await storeLong(server, id, 40)
  const page = async (query: string) => (await get(`/api/sessions/${id}/messages${query}`, { token })).json()

  const backward: string[] = []
  for (let query = ''; ; ) {
    const { messages, before, next } = await page(query)
    expect(next).toBeNull()
    backward.unshift(...idsOf(messages))
    if (before === null) break
    query = `?before=${before}`
  }
  const forward: string[] = []
  for (let after: number | null = 1000; after !== null; ) {
    const { messages, before, next }: { messages: Listed[]; before: null; next: number | null } = await page(
      `?after=${after}`,
    )
    expect(before).toBeNull()
    forward.push(...idsOf(messages))
    after = next
  }

  expect(backward).toEqual(stored)
  expect(forward).toEqual(stored.slice(1))
  expect((await page('?before=1000')).messages).toEqual([])
})

onSessionServer('SES-06 pages of short messages are limited by their number', async (server) => {
  const { createSession, get, db } = server
  const { id, token } = await createSession()
  const many = Array.from({ length: listLimits.pageMessages + 1 }, (_, index) => ({
    id: randomUUID(),
    session_id: id,
    participant_id: null,
    sealed_name: null,
    wrapped_key: 'key',
    sealed_text: 'text',
    created_at: index + 1,
    bytes: 7,
  }))
  await db.insertInto('session_messages').values(many).execute()

  const { messages, before } = (await get(`/api/sessions/${id}/messages`, { token })).json()
  const rest = (await get(`/api/sessions/${id}/messages?before=${before}`, { token })).json()

  expect(messages).toHaveLength(listLimits.pageMessages)
  expect([rest.messages.length, rest.before]).toEqual([1, null])
})

onSessionServer(
  'of 60 concurrent lists of one participant some get 429, and those of others are unaffected',
  async (server) => {
    const { createSession, joinAsGuest, get } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    await storeLong(server, id, 12)

    const requests = Array.from({ length: 60 }, () => get(`/api/sessions/${id}/messages`, { token }))
    const other = get(`/api/sessions/${id}/messages`, { token: guest.token })
    const answers = await Promise.all(requests)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)

    const answered = answers.filter(({ statusCode }) => statusCode === 200)

    expect(answered.length).toBeGreaterThanOrEqual(5)
    expect(answered.length + refused.length).toBe(60)
    expect([refused[0]?.json().code, refused[0]?.headers['retry-after']]).toEqual(['RATE_LIMITED', '1'])
    expect((await other).statusCode).toBe(200)
    expect((await get(`/api/sessions/${id}/messages`, { token })).statusCode).toBe(200)
  },
)

onSessionServer('messages count as storage of the creator until the session ends', async (server) => {
  const { createSession, joinAsGuest, send, post, db } = server
  const { id, pin, token, userId } = await createSession()
  const guest = await joinAsGuest(pin)
  const used = async () => {
    const rows = await db.selectFrom('storage_use').select('used_bytes').where('user_id', '=', userId).execute()
    return rows[0]?.used_bytes ?? 0
  }

  await send(id, { token: guest.token }, longText)
  const afterOne = await used()
  await send(id, { token }, longText)

  expect(afterOne).toBeGreaterThan(chatLimits.textBytes)
  expect(await used()).toBe(2 * afterOne)
  expect(await createStorageCheckStore(db).findSuspects()).toEqual([])
  await post(`/api/sessions/${id}/leave`, {}, { token })
  expect(await used()).toBe(0)
  expect(await createStorageCheckStore(db).findSuspects()).toEqual([])
})

onSessionServer(
  'a message over the storage limit of the creator gets 413 and reveals no usage',
  async (server) => {
    const { createSession, joinAsGuest, send, get } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    const first = await send(id, { token: guest.token }, longText)
    const second = await send(id, { token: guest.token }, longText)

    expect([first.statusCode, second.statusCode]).toEqual([200, 413])
    expect(second.json()).toEqual({ success: false, code: 'STORAGE_LIMIT', error: 'Storage limit reached' })
    expect((await get(`/api/sessions/${id}/messages`, { token })).json().messages).toHaveLength(1)
  },
  { storageBytes: 120_000 },
)

onSessionServer('a message that is sent twice counts as storage once', async (server) => {
  const { createSession, post, db } = server
  const { id, token } = await createSession()
  const { encryptedMessage, encryptedKey } = await createSealedMessage({ contextId: id, kind: 'session' })
  const body = { message_text: encryptedMessage, encrypted_key: encryptedKey }

  for (const _ of [1, 2]) expect((await post(`/api/sessions/${id}/messages`, body, { token })).statusCode).toBe(200)

  const [use] = await db.selectFrom('storage_use').select('used_bytes').execute()
  expect(use?.used_bytes).toBe(encryptedMessage.length + encryptedKey.length)
})

onSessionServer('SES-11 admission messages are listed in pages', async (server) => {
  const { createSession, get, db } = server
  const { id, token, session } = await createSession()
  const rows = Array.from({ length: listLimits.pageAdmissions + 1 }, (_, index) => ({
    session_id: id,
    seq: index + 1,
    participant_id: session.participant_id,
    body: 'x'.repeat(2000),
    created_at: server.now(),
  }))
  for (let from = 0; from < rows.length; from += 100) {
    await db
      .insertInto('session_admissions')
      .values(rows.slice(from, from + 100))
      .execute()
  }
  const since = async (seq: number) =>
    (await get(`/api/sessions/${id}/admit?since=${seq}`, { token })).json().admissions.length

  expect(await since(0)).toBe(listLimits.pageAdmissions)
  expect(await since(listLimits.pageAdmissions)).toBe(1)
})
