import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readMetric } from '../../../testing/clients/attackers.ts'
import { openRawReader } from '../../../testing/clients/raw-reader.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onSessionServer, type SessionServer } from '../../../testing/servers/session-server.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import { createUnsentResponses } from './unsent-responses.ts'

const megabyte = 1024 * 1024
/** More than the network buffers of a connection that is not read. */
const manyPages = 8

/** Creates a session whose message list is a page of 1 MB, with ways to read it. */
async function createLongList({ createSession, joinAsGuest, app, db }: SessionServer) {
  const { id, pin } = await createSession()
  const sealedText = randomBytes(65_000).toString('base64url')
  for (let index = 0; index < 13; index += 1) {
    const row = { id: randomUUID(), session_id: id, participant_id: null, sealed_name: null, wrapped_key: 'key' }
    await db
      .insertInto('session_messages')
      .values({ ...row, sealed_text: sealedText, created_at: 1000 + index, bytes: sealedText.length })
      .execute()
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const path = `/api/sessions/${id}/messages`
  const asGuestAt = async (address: string) => ({
    'x-forwarded-for': address,
    'x-participant-token': (await joinAsGuest(pin, address)).token,
  })
  const openReader = (requests: readonly Record<string, string>[], pauseMs?: number) =>
    openRawReader(port, { path, requests, ...(pauseMs !== undefined && { pauseMs }) })
  return {
    asGuestAt,
    openReader,
    read: async (address: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: await asGuestAt(address) }),
  }
}

onSessionServer(
  'unread lists use at most the limit of the process, and another address still gets its list',
  async (server) => {
    const { asGuestAt, openReader, read } = await createLongList(server)
    const { unsentResponses, cuts } = server.resources
    for (let count = 0; count < 6; count += 1) openReader(Array(manyPages).fill(await asGuestAt('198.51.100.1')))
    await expect.poll(() => cuts('unsent-answers')).toBeGreaterThan(0)
    expect(unsentResponses.bytes()).toBeLessThanOrEqual(3 * megabyte)
    expect(unsentResponses.bytes()).toBeGreaterThan(megabyte)

    const answer = await read('203.0.113.2')

    expect([answer.status, ((await answer.json()) as { messages: unknown[] }).messages.length > 8]).toEqual([200, true])
    expect(unsentResponses.bytes()).toBeLessThanOrEqual(3 * megabyte)
  },
  { limitOverrides: { unsentResponseBytes: 3 * megabyte } },
)

onSessionServer(
  'a response that is not read is aborted, and one that is read slowly arrives whole',
  async (server) => {
    const { asGuestAt, openReader } = await createLongList(server)
    const { unsentResponses, cuts } = server.resources
    // A separate guest for each page, because the requests of one guest are handled sequentially.
    const guestsAt = (address: string) => Promise.all(Array.from({ length: manyPages }, () => asGuestAt(address)))
    const slow = openReader(await guestsAt('203.0.113.2'), 20)
    openReader(await guestsAt('198.51.100.1'))

    await expect.poll(() => cuts('stalled-answer')).toBe(1)
    await expect.poll(slow.receivedBytes).toBeGreaterThan(manyPages * 0.85 * megabyte)

    expect([cuts('stalled-answer'), unsentResponses.bytes()]).toEqual([1, 0])
    expect(slow.socket.destroyed).toBe(false)
  },
  { limitOverrides: { stalledReadMs: 500 } },
)

test('a download that is not read is aborted', async () => {
  const server = await startWholeServer({}, undefined, { stalledReadMs: 500 })
  const { accessToken } = await server.createMember()
  const id = await server.store(accessToken, await sealFile({ plainBytes: 4 * megabyte }))
  const headers = { authorization: `Bearer ${accessToken}` }

  openRawReader(server.port, { path: `/api/download/${id}`, requests: Array(4).fill(headers) })

  const cuts = () => readMetric(server, 'sallyport_resource_cuts_total{cause="stalled-answer"}')
  await expect.poll(cuts).toBe(1)
  await server.stop()
})

test('at the limit the newest response of the heaviest caller is aborted, or rejected if it is the current one', () => {
  const answers = createUnsentResponses(10, () => undefined)
  const aborted: string[] = []
  const add = (caller: string, bytes: number, name: string) =>
    answers.add({ caller, bytes, abort: () => void aborted.push(name) })

  add('heavy', 3, 'first')
  const second = add('heavy', 3, 'second')
  add('light', 3, 'light')
  expect(add('heavy', 3, 'third')).toBeNull()
  expect([answers.bytes(), aborted]).toEqual([9, []])

  expect(add('newcomer', 3, 'newcomer')).not.toBeNull()
  second?.()
  expect([answers.bytes(), aborted]).toEqual([9, ['second']])
})
