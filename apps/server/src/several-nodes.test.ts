import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { expect, inject, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { aFolder } from './testing/folder.ts'
import { useRedis } from './testing/redis-server.ts'
import { sealFile } from './testing/sealed-file.ts'
import { startStopwatch } from './testing/stopwatch.ts'
import { until } from './testing/storing-server.ts'
import { startTwoNodes } from './testing/two-nodes.ts'
import type { WholeServer } from './testing/whole-server.ts'

const redis = useRedis()
const wrongPin = '876543'
const sessionPin = '582914'

/** Two servers of one instance: they share a PostgreSQL, a Redis and the folder. */
async function startNodes() {
  const databaseUrl = await (await fetch(`${inject('databaseDesk')}/postgres`)).text()
  return startTwoNodes(redis.url, { DATABASE_URL: databaseUrl, DATA_DIR: aFolder(), TRUSTED_PROXIES: '127.0.0.1' })
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

function post({ url }: WholeServer, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const sent = { 'content-type': 'application/json', ...headers }
  return fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
}

async function aTicket(node: WholeServer, accessToken: string): Promise<string> {
  const answer = await post(node, '/api/live/tickets', { purpose: 'live' }, bearer(accessToken))
  return ((await answer.json()) as { ticket: string }).ticket
}

/** Opens the live channel of a node and answers the status; 101 when it stands. */
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
  const hasHeard = (type: LiveEvent['type']) => events.some((event) => event.type === type)
  return { status, events, hasHeard, closeCode: () => closeCode }
}

/** Opens a session or joins it. */
async function enter(node: WholeServer, path: string, headers: Readonly<Record<string, string>> = {}) {
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

test('FIL-11 a file that was uploaded at one node appears on a page that listens at another', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.aMember()
  const page = await openLive(other, await aTicket(other, accessToken))
  await until(() => page.hasHeard('ready'))

  const id = await one.store(accessToken, await sealFile({ plainBytes: 10 }))

  await until(() => page.hasHeard('file.inserted'))
  expect(page.events.filter(({ type }) => type === 'file.inserted')).toEqual([
    { type: 'file.inserted', file: expect.objectContaining({ id }) },
  ])
})

test('a sign-in that is ended at one node is over at another at once, and so is its socket there', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.aMember()
  const page = await openLive(other, await aTicket(other, accessToken))
  const statusThere = async () => (await fetch(`${other.url}/api/user-info`, { headers: bearer(accessToken) })).status
  expect(await statusThere()).toBe(200)

  const elapsed = await startStopwatch()
  const signOut = await post(one, '/auth/v1/logout', {}, bearer(accessToken))
  await until(async () => (await statusThere()) === 401)

  expect(signOut.status).toBe(204)
  // What a node remembers by itself lasts for five seconds.
  expect(elapsed()).toBeLessThan(4000)
  await until(() => page.closeCode() === 4001)
  expect(page.hasHeard('account.revoked')).toBe(true)
})

test('SES-10 a session whose people are at two nodes is one: each hears of the other, and its end reaches both', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.aMember()
  const created = await enter(one, '/api/sessions', bearer(accessToken))
  const creator = await openLive(one, await created.ticket())
  await until(() => creator.hasHeard('ready'))

  const joined = await enter(other, '/api/sessions/join')
  await until(() => creator.events.some((event) => event.type === 'session.peers' && event.participants.length === 2))
  const guest = await openLive(other, await joined.ticket())
  await until(() => guest.hasHeard('ready'))

  await post(one, `/api/sessions/${created.id}/leave`, {}, created.shown)
  await until(() => guest.closeCode() === 4001 && creator.closeCode() === 4001)

  expect(joined.id).toBe(created.id)
  expect(guest.events.at(-1)).toEqual({ type: 'session.closed', reason: 'closed' })
})

test('T191 a ticket that was made at one node opens a socket at another, once', async () => {
  const [one, other] = await startNodes()
  const { accessToken } = await one.aMember()
  const ticket = await aTicket(one, accessToken)

  const elsewhere = await openLive(other, ticket)
  const again = [await openLive(one, ticket), await openLive(other, ticket)]

  expect(elsewhere.status).toBe(101)
  expect(again.map(({ status }) => status)).toEqual([401, 401])
})

test('T084 the 11th wrong PIN in ten minutes is refused on every node, also when all of them come at once', async () => {
  const nodes = await startNodes()
  const guess = (node: WholeServer, address: string) =>
    post(node, '/api/sessions/join', { session_pin: wrongPin }, { 'x-forwarded-for': address })

  const wrong = []
  for (let count = 0; count < 10; count += 1)
    wrong.push((await guess(nodes[count % 2] ?? nodes[0], '203.0.113.1')).status)
  const eleventh = await Promise.all(nodes.map((node) => guess(node, '203.0.113.1')))
  const atOnce = await Promise.all(
    Array.from({ length: 15 }, () => nodes.map((node) => guess(node, '203.0.113.2'))).flat(),
  )

  expect(wrong).toEqual(Array(10).fill(404))
  expect(eleventh.map(({ status }) => status)).toEqual([429, 429])
  // The first source has used up the repeats that one alone may; a second one has those of people who mistype.
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill(404), ...Array(26).fill(428)])
})

test('ten wrong passwords are counted over all nodes, and the eleventh is refused on each', async () => {
  const nodes = await startNodes()
  const { email } = await nodes[0].aMember()
  const signIn = (node: WholeServer) => post(node, '/api/login', { email, password: `Zk2.${'A'.repeat(43)}` })

  const wrong = []
  for (let count = 0; count < 10; count += 1) wrong.push((await signIn(nodes[count % 2] ?? nodes[0])).status)
  const eleventh = await Promise.all(nodes.map(signIn))

  expect(wrong).toEqual(Array(10).fill(401))
  expect(eleventh.map(({ status }) => status)).toEqual([429, 429])
})

test('F16 while Redis is away nobody guesses a PIN or a password, all else is served, and everything comes back by itself', async () => {
  const [one, other] = await startNodes()
  const { accessToken, email, password } = await one.aMember()
  const page = await openLive(other, await aTicket(other, accessToken))
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
  const refused = await post(one, '/api/login', { email, password })
  expect(await refused.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' })
  const id = await one.store(accessToken, file)
  const message = await fetch(`${other.url}/api/files`, { headers: bearer(accessToken) })
  expect(await message.json()).toMatchObject({ files: [{ id }] })
  expect(page.closeCode()).toBeNull()
  await redis.start()

  // What happened meanwhile was missed there: the page is told to come again, and asks.
  await until(() => page.closeCode() === 1012)
  expect(page.hasHeard('file.inserted')).toBe(false)
  await until(async () => (await fetch(`${other.url}/readyz`)).status === 200)
  await until(async () => (await post(one, '/api/login', { email, password })).status === 200)
  const again = await openLive(other, await aTicket(one, accessToken))
  await until(() => again.hasHeard('ready'))
  await one.store(accessToken, await sealFile({ plainBytes: 10 }))
  await until(() => again.hasHeard('file.inserted'))
  expect((await post(other, '/api/sessions/join', { session_pin: wrongPin })).status).toBe(404)
})
