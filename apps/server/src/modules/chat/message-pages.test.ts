import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { chatLimits } from '@sallyport/contract/limits'
import { listLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../testing/engines/databases.ts'
import { startChatServer } from '../../testing/servers/chat-server.ts'
import { createStorageCheckStore } from '../files/cleanup/storage-check.store.ts'

const longText = 'x'.repeat(chatLimits.textBytes)

/** Stores messages of the maximum size, oldest first. */
async function storeLong({ db, now }: Stage, ownerId: string, count: number): Promise<string[]> {
  const sealedText = randomBytes(65_000).toString('base64url')
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    owner_id: ownerId,
    wrapped_key: randomBytes(116).toString('base64url'),
    sealed_text: sealedText,
    created_at: now() + index,
    expires_at: now() + 3_600_000 + index,
    bytes: sealedText.length + 155,
  }))
  for (const row of rows) await db.insertInto('messages').values(row).execute()
  return rows.map(({ id }) => id)
}

const idsOf = (messages: readonly { readonly id: string }[]): string[] => messages.map(({ id }) => id)

onAnyDatabase('CHT-01 a client without cursors gets the newest page of at most 1 MB, oldest first', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const stored = await storeLong(stage, ann.userId, 30)

  const answer = await server.get('/api/messages', ann.bearer)
  const listed = answer.json()

  expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(listLimits.pageBytes)
  expect(listed.length).toBeGreaterThan(8)
  expect(idsOf(listed)).toEqual(stored.slice(-listed.length))
})

onAnyDatabase('CHT-01 pages before and after a cursor return every live message once, in order', async (stage) => {
  const server = await startChatServer(stage)
  const [ann, bob] = [await server.createMember(), await server.createMember()]
  const stored = await storeLong(stage, ann.userId, 30)
  await storeLong(stage, bob.userId, 3)
  const page = async (query: string) => (await server.get(`/api/messages/page${query}`, ann.bearer)).json()

  const backward: string[] = []
  for (let query = ''; ; ) {
    const { messages, before, next } = await page(query)
    expect(next).toBeNull()
    backward.unshift(...idsOf(messages))
    if (before === null) break
    query = `?before=${before}`
  }
  const forward: string[] = []
  for (let after: number | null = 1; after !== null; ) {
    const answer: { messages: { id: string }[]; next: number | null } = await page(`?after=${after}`)
    forward.push(...idsOf(answer.messages))
    after = answer.next
  }

  expect(backward).toEqual(stored)
  expect(forward).toEqual(stored)
  stage.advance(3_600_000 + 27)
  expect(idsOf((await page('')).messages)).toEqual(stored.slice(-2))
  expect(await page('?before=0')).toMatchObject({ messages: [], before: null, next: null })
})

onAnyDatabase('T096 a page of messages requires a token, and cursors are numbers', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()

  expect((await server.get('/api/messages/page')).json().code).toBe('NO_TOKEN')
  for (const query of ['before=-1', 'before=x', 'after=1e9', 'after=1.5']) {
    const refused = await server.get(`/api/messages/page?${query}`, ann.bearer)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'BAD_REQUEST'])
  }
})

onAnyDatabase(
  'of 60 concurrent lists of one auth session some get 429, and those of others are unaffected',
  async (stage) => {
    const server = await startChatServer(stage)
    const [ann, bob] = [await server.createMember(), await server.createMember()]
    await storeLong(stage, ann.userId, 12)

    const requests = Array.from({ length: 60 }, () => server.get('/api/messages', ann.bearer))
    const other = server.get('/api/messages', bob.bearer)
    const codes = (await Promise.all(requests)).map(({ statusCode }) => statusCode)

    expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(5)
    expect(new Set(codes)).toEqual(new Set([200, 429]))
    expect((await other).statusCode).toBe(200)
  },
)

onAnyDatabase('a list whose client disconnects frees its slot for the next one', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  await storeLong(stage, ann.userId, 12)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const headers = ann.bearer
  const list = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/api/messages`, { headers, ...(signal && { signal }) })

  for (let round = 0; round < 6; round += 1) {
    const hangUp = new AbortController()
    await list(hangUp.signal)
    hangUp.abort()
  }

  expect((await list()).status).toBe(200)
  server.app.server.closeAllConnections()
})

onAnyDatabase('messages count as storage of their account until they are deleted or expire', async (stage) => {
  const server = await startChatServer(stage)
  const ann = await server.createMember()
  const used = async () => (await server.get('/api/user-info', ann.bearer)).json().user.storage_used_bytes
  const suspects = () => createStorageCheckStore(stage.db).findSuspects()

  const first = await server.send(ann, longText)
  const afterFirst = await used()
  await server.send(ann, longText)
  expect([afterFirst > chatLimits.textBytes, await used()]).toEqual([true, 2 * afterFirst])
  expect(await suspects()).toEqual([])

  await server.remove(`/api/messages/${first.id}`, ann.bearer)
  expect(await used()).toBe(afterFirst)
  await server.remove('/api/messages', ann.bearer)
  expect(await used()).toBe(0)

  const { expiresAt } = await server.send(ann, longText)
  stage.advance(expiresAt - stage.now())
  await server.sweeper.run(new AbortController().signal)
  expect(await used()).toBe(0)
  expect(await suspects()).toEqual([])
})

onAnyDatabase('a message over the storage limit of the account is rejected', async (stage) => {
  const server = await startChatServer(stage, { storageBytes: 120_000 })
  const ann = await server.createMember()
  expect((await server.send(ann, longText)).success).toBe(true)

  expect(await server.send(ann, longText)).toEqual({
    success: false,
    code: 'STORAGE_LIMIT',
    error: 'Storage limit reached',
  })
  expect((await server.send(ann, 'short')).success).toBe(true)
})

onAnyDatabase(
  'auth sessions of one account share its list slot: of 80 concurrent lists some get 429',
  async (stage) => {
    const server = await startChatServer(stage)
    const [ann, bob] = [await server.createMember(), await server.createMember()]
    await storeLong(stage, ann.userId, 12)
    const bearers: { readonly authorization: string }[] = []
    for (let count = 0; count < 8; count += 1) {
      const payload = { email: ann.email, password: ann.password }
      const { session } = (await server.app.inject({ method: 'POST', url: '/api/login', payload })).json()
      const bearer = { authorization: `Bearer ${session.access_token}` }
      await server.get('/api/messages/page?before=0', bearer)
      bearers.push(bearer)
    }

    const requests = Array.from({ length: 80 }, (_, index) => server.get('/api/messages', bearers[index % 8]))
    const other = await server.get('/api/messages', bob.bearer)
    const answers = await Promise.all(requests)
    const statuses = answers.map(({ statusCode }) => statusCode)

    expect(other.statusCode).toBe(200)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect((await server.get('/api/messages', ann.bearer)).statusCode).toBe(200)
  },
)
