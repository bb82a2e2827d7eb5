import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { sealFile } from './testing/clients/sealed-file.ts'
import { useRedis } from './testing/engines/redis-server.ts'
import { waitUntil } from './testing/servers/file-server.ts'
import { startTwoNodes } from './testing/servers/two-nodes.ts'
import type { WholeServer } from './testing/servers/whole-server.ts'
import { createTestFolder } from './testing/test-folder.ts'

const redis = useRedis()
const wrongPin = '876543'
const sessionPin = '582914'

/** Starts two nodes of one instance, which share PostgreSQL, Redis and the data folder. */
async function startNodes() {
  const databaseUrl = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  return startTwoNodes(redis.url, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: createTestFolder(),
    TRUSTED_PROXIES: '127.0.0.1',
  })
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

function post({ url }: WholeServer, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const sent = { 'content-type': 'application/json', ...headers }
  return fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
}

async function createTicket(node: WholeServer, accessToken: string): Promise<string> {
  const answer = await post(node, '/api/live/tickets', { purpose: 'live' }, bearer(accessToken))
  return ((await answer.json()) as { ticket: string }).ticket
}

/** Opens the live channel of a node and resolves to its HTTP status, 101 when it is open. */
async function openLive(node: WholeServer, ticket: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}${livePath}?ticket=${ticket}`, { origin: node.url })
  const events: LiveEvent[] = []
  let closeCode: number | null = null
  socket.on('message', (data) => void events.push(JSON.parse(String(data))))
  socket.on('close', (code) => {
    closeCode = code
  })
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    socket.once('error', reject)
  })
  onTestFinished(() => socket.terminate())
  const hasReceived = (type: LiveEvent['type']) => events.some((event) => event.type === type)
  return { status, events, hasReceived, closeCode: () => closeCode }
}

/** Creates a session or joins one. */
async function enterSession(node: WholeServer, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await post(node, path, { session_pin: sessionPin }, headers)
  const entered = (await answer.json()) as { session: { id: string }; participant_token: string }
  const { id } = entered.session
  const shown = { 'x-participant-token': entered.participant_token }
  const ticket = async (): Promise<string> => {
    const ticketed = await post(node, `/api/sessions/${id}/tickets`, {}, shown)
    return ((await ticketed.json()) as { ticket: string }).ticket
  }
  return { id, shown, ticket }
}

test('FIL-11 a file uploaded through one node appears on a page connected to another', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.createMember()
  const page = await openLive(other, await createTicket(other, accessToken))
  await waitUntil(() => page.hasReceived('ready'))

  const id = await one.store(accessToken, await sealFile({ plainBytes: 10 }))

  await waitUntil(() => page.hasReceived('file.inserted'))
  expect(page.events.filter(({ type }) => type === 'file.inserted')).toEqual([
    { type: 'file.inserted', file: expect.objectContaining({ id }) },
  ])
})

test('signing out on one node ends the auth session and its sockets on the other without waiting for its cache', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.createMember()
  const page = await openLive(other, await createTicket(other, accessToken))
  const statusThere = async () => (await fetch(`${other.url}/api/user-info`, { headers: bearer(accessToken) })).status
  expect(await statusThere()).toBe(200)

  // A node's own cache does not expire while the clock is stopped.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const signOut = await post(one, '/auth/v1/logout', {}, bearer(accessToken))
  await waitUntil(async () => (await statusThere()) === 401)

  expect(signOut.status).toBe(204)
  await waitUntil(() => page.closeCode() === 4001)
  expect(page.hasReceived('account.revoked')).toBe(true)
})

test('SES-10 participants of one session on two nodes see each other, and closing it reaches both', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.createMember()
  const created = await enterSession(one, '/api/sessions', bearer(accessToken))
  const creator = await openLive(one, await created.ticket())
  await waitUntil(() => creator.hasReceived('ready'))

  const joined = await enterSession(other, '/api/sessions/join')
  await waitUntil(() =>
    creator.events.some((event) => event.type === 'session.peers' && event.participants.length === 2),
  )
  const guest = await openLive(other, await joined.ticket())
  await waitUntil(() => guest.hasReceived('ready'))

  await post(one, `/api/sessions/${created.id}/leave`, {}, created.shown)
  await waitUntil(() => guest.closeCode() === 4001 && creator.closeCode() === 4001)

  expect(joined.id).toBe(created.id)
  expect(guest.events.at(-1)).toEqual({ type: 'session.closed', reason: 'closed' })
})

test('T191 a ticket issued by one node opens a socket on another, once', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.createMember()
  const ticket = await createTicket(one, accessToken)

  const elsewhere = await openLive(other, ticket)
  const again = [await openLive(one, ticket), await openLive(other, ticket)]

  expect(elsewhere.status).toBe(101)
  expect(again.map(({ status }) => status)).toEqual([401, 401])
})

test('T084 the 11th wrong PIN in 10 minutes gets 429 on every node, also with concurrent requests', async () => {
  const nodes = await startNodes()
  const guess = (node: WholeServer, address: string) =>
    post(node, '/api/sessions/join', { session_pin: wrongPin }, { 'x-forwarded-for': address })

  const wrong = []
  for (let count = 0; count < 10; count += 1)
    wrong.push((await guess(nodes[count % 2] ?? nodes[0], '203.0.113.1')).status)
  const eleventh = await Promise.all(nodes.map((node) => guess(node, '203.0.113.1')))
  const concurrent = await Promise.all(
    Array.from({ length: 15 }, () => nodes.map((node) => guess(node, '203.0.113.2'))).flat(),
  )

  expect(wrong).toEqual(Array(10).fill(404))
  expect(eleventh.map(({ status }) => status)).toEqual([429, 429])
  // The first source has used its share of repeated failures; a second source still has that of people who mistype.
  expect(concurrent.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill(404), ...Array(26).fill(428)])
})

test('wrong passwords are counted across nodes, and the 11th gets 429 on each', async () => {
  const nodes = await startNodes()
  const { email } = await nodes[0].createMember()
  const signIn = (node: WholeServer) => post(node, '/api/login', { email, password: `Zk2.${'A'.repeat(43)}` })

  const wrong = []
  for (let count = 0; count < 10; count += 1) wrong.push((await signIn(nodes[count % 2] ?? nodes[0])).status)
  const eleventh = await Promise.all(nodes.map(signIn))

  expect(wrong).toEqual(Array(10).fill(401))
  expect(eleventh.map(({ status }) => status)).toEqual([429, 429])
})

test('F16 while Redis is down, PIN and password checks get 503, all else works, and the server recovers by itself', async () => {
  const [one, other] = await startNodes()
  const { accessToken, email, password } = await one.createMember()
  const page = await openLive(other, await createTicket(other, accessToken))
  const file = await sealFile({ plainBytes: 10 })
  const guarded = [
    () => post(one, '/api/login', { email, password }),
    () => post(other, '/auth/v1/token?grant_type=password', { email, password }),
    () => post(one, '/api/sessions/join', { session_pin: wrongPin }),
    () => post(other, '/api/live/tickets', { purpose: 'live' }, bearer(accessToken)),
    () => fetch(`${one.url}/readyz`),
  ]

  await redis.kill()
  for (const call of guarded) {
    const answer = await call()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).not.toMatch(/redis|connect|ENOENT/i)
  }
  const rejected = await post(one, '/api/login', { email, password })
  expect(await rejected.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' })
  const id = await one.store(accessToken, file)
  const message = await fetch(`${other.url}/api/files`, { headers: bearer(accessToken) })
  expect(await message.json()).toMatchObject({ files: [{ id }] })
  expect(page.closeCode()).toBeNull()
  await redis.start()

  // The node missed events meanwhile, so it closes the socket with 1012 and the page reconnects.
  await waitUntil(() => page.closeCode() === 1012)
  expect(page.hasReceived('file.inserted')).toBe(false)
  await waitUntil(async () => (await fetch(`${other.url}/readyz`)).status === 200)
  await waitUntil(async () => (await post(one, '/api/login', { email, password })).status === 200)
  const again = await openLive(other, await createTicket(one, accessToken))
  await waitUntil(() => again.hasReceived('ready'))
  await one.store(accessToken, await sealFile({ plainBytes: 10 }))
  await waitUntil(() => again.hasReceived('file.inserted'))
  expect((await post(other, '/api/sessions/join', { session_pin: wrongPin })).status).toBe(404)
})
