import { sessionLimits } from '@sallyport/contract/limits'
import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { pinLimits } from '@sallyport/contract/server-limits'
import { expect, inject, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openDatabase } from '../../platform/db/open.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { waitUntil } from '../../testing/servers/file-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'
import type { WholeServer } from '../../testing/servers/whole-server.ts'
import { createTestFolder } from '../../testing/test-folder.ts'

const redis = useRedis()
const pin = '582914'
const wrongPin = '876543'

/** Two servers of one instance with a shared PostgreSQL. */
async function startNodes() {
  const databaseUrl = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  const nodes = await startTwoNodes(redis.url, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: createTestFolder(),
    TRUSTED_PROXIES: '127.0.0.1',
  })
  return { nodes, databaseUrl }
}

/** The fields of the responses that the tests read. */
interface Answer {
  readonly session: { readonly id: string; readonly participant_id: string }
  readonly participant_token: string
  readonly ticket: string
}

const from = (address: string) => ({ 'x-forwarded-for': address })

async function call(node: WholeServer, method: string, path: string, headers: Record<string, string>, body?: object) {
  const sent = { ...(body && { 'content-type': 'application/json' }), ...headers }
  const answer = await fetch(node.url + path, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Answer }
}

async function listen(node: WholeServer, ticket: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}${livePath}?ticket=${ticket}`, { origin: node.url })
  onTestFinished(() => socket.terminate())
  const events: LiveEvent[] = []
  socket.on('message', (data) => void events.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await waitUntil(() => events.some(({ type }) => type === 'ready'))
  return { socket, events, closed }
}

test('T193 a participant with the PIN alone is removed at another node, and its socket closes at once', async () => {
  const { nodes } = await startNodes()
  const [one, other] = nodes
  const { accessToken } = await one.createMember()
  const bearer = { authorization: `Bearer ${accessToken}` }
  const home = from('203.0.113.50')
  const created = await call(one, 'POST', '/api/sessions', bearer, { session_pin: pin })
  const { id } = created.body.session
  const joined = await call(one, 'POST', '/api/sessions/join', home, { session_pin: pin })
  const { participant_id } = joined.body.session
  const ticketed = await call(other, 'POST', `/api/sessions/${id}/tickets`, home, { session_pin: pin })
  const { events, closed } = await listen(other, ticketed.body.ticket)

  const removed = await call(one, 'DELETE', `/api/sessions/${id}/participants/${participant_id}`, bearer)

  expect(removed.status).toBe(200)
  expect(await closed).toBe(4001)
  expect(events.at(-1)).toEqual({ type: 'session.closed', reason: 'removed' })
  for (const node of nodes) {
    const read = await call(node, 'GET', `/api/sessions/${id}/messages?session_pin=${pin}`, home)
    expect(read.status).toBe(404)
  }
})

test('SES-04 a participant with pages at two nodes is present again 15 seconds after one of them is closed', async () => {
  const { nodes } = await startNodes()
  const [one, other] = nodes
  const { accessToken } = await one.createMember()
  const bearer = { authorization: `Bearer ${accessToken}` }
  const home = from('203.0.113.51')
  const created = await call(one, 'POST', '/api/sessions', bearer, { session_pin: pin })
  const { id } = created.body.session
  const joined = await call(one, 'POST', '/api/sessions/join', home, { session_pin: pin })
  const guest = { 'x-participant-token': joined.body.participant_token }
  const getTicket = async (node: WholeServer, headers: Record<string, string>) =>
    (await call(node, 'POST', `/api/sessions/${id}/tickets`, headers, {})).body.ticket
  const creator = await listen(one, await getTicket(one, bearer))
  await listen(other, await getTicket(other, guest))
  const published = () => creator.events.flatMap((event) => (event.type === 'session.peers' ? [event] : []))
  const isGuestPresent = () =>
    published()
      .at(-1)
      ?.participants.find((participant) => participant.id === joined.body.session.participant_id)?.present
  await waitUntil(() => isGuestPresent() === true)

  // The other node may confirm the participant just after a page is closed, who then does not become away.
  while (isGuestPresent()) {
    const { socket } = await listen(one, await getTicket(one, guest))
    socket.terminate()
    await new Promise((resolve) => setTimeout(resolve, 2 * sessionLimits.reconnectMs))
  }
  await waitUntil(() => isGuestPresent() === true)
})

test('T086 concurrent wrong PINs at 2 nodes do not exceed the rest of the budget', async () => {
  const { nodes, databaseUrl } = await startNodes()
  const { db, close } = await openDatabase({ databaseUrl, folder: createTestFolder(), onError: () => undefined })
  onTestFinished(close)
  const addresses = Array.from({ length: 10 }, (_, index) => from(`203.0.113.${index}`))
  const guess = (index: number) =>
    call(nodes[index % 2] ?? nodes[0], 'POST', '/api/sessions/join', addresses[index] ?? {}, { session_pin: wrongPin })
  const first = await Promise.all(addresses.keys().map(guess))
  await db
    .updateTable('pin_hours')
    .set({ failures: pinLimits.workFromFailures - 2, repeats: pinLimits.answeredRepeats - 1 })
    .execute()

  const second = await Promise.all(addresses.keys().map(guess))

  expect(first.map(({ status }) => status)).toEqual(Array(10).fill(404))
  expect(second.filter(({ status }) => status === 404)).toHaveLength(1)
  expect(second.filter(({ status }) => status === 428 || status === 429)).toHaveLength(9)
})
