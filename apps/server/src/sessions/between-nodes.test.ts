import { type LiveEvent, livePath } from '@sallyport/contract/live'
import { pinLimits } from '@sallyport/contract/server-limits'
import { expect, inject, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openDatabase } from '../db/open.ts'
import { aFolder } from '../testing/folder.ts'
import { useRedis } from '../testing/redis-server.ts'
import { until } from '../testing/storing-server.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'
import type { WholeServer } from '../testing/whole-server.ts'

const redis = useRedis()
const pin = '582914'
const wrongPin = '876543'

/** Two servers of one instance, and the PostgreSQL that they share. */
async function startNodes() {
  const databaseUrl = await (await fetch(`${inject('databaseDesk')}/postgres`)).text()
  const nodes = await startTwoNodes(redis.url, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: aFolder(),
    TRUSTED_PROXIES: '127.0.0.1',
  })
  return { nodes, databaseUrl }
}

/** What the answers of these calls have, each of them some of it. */
interface Answer {
  readonly session: { readonly id: string; readonly participant_id: string }
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
  await until(() => events.some(({ type }) => type === 'ready'))
  return { events, closed }
}

test('T193 one who shows the PIN alone at one node is removed at another, and its socket ends at once', async () => {
  const { nodes } = await startNodes()
  const [one, other] = nodes
  const { accessToken } = await one.aMember()
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

test('T086 wrong PINs at the same time at two nodes do not exceed what is left of the budget', async () => {
  const { nodes, databaseUrl } = await startNodes()
  const { db, close } = await openDatabase({ databaseUrl, folder: aFolder(), onError: () => undefined })
  onTestFinished(close)
  const addresses = Array.from({ length: 10 }, (_, place) => from(`203.0.113.${place}`))
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
