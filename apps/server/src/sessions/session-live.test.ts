import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { onSessionServer, sealSessionFile } from '../testing/session-server.ts'

onSessionServer(
  'SES-10 everybody in a session is told of messages, files, settings, people and its end',
  async (server) => {
    const { aSession, aGuest, listen, send, storeFile, remove, put, post } = server
    const { id, pin, token } = await aSession()
    const guest = await aGuest(pin)
    const { events, closed } = await listen(id, { token: guest.token })
    const heard = async (type: string) => {
      const last = () => events.findLast((event) => event.type === type)
      // Lists of participants are sent at most once a second.
      await expect.poll(last, { timeout: 5000 }).toBeDefined()
      return last()
    }
    await heard('ready')

    const { message } = (await send(id, { token })).json()
    const fileId = await storeFile(id, { token }, await sealSessionFile(10))
    await heard('session.file.inserted')
    await remove(`/api/sessions/files/${fileId}`, { token })
    await put(`/api/sessions/${id}/settings`, { locked: true }, { token })
    await heard('session.settings')
    await heard('session.peers')
    await post(`/api/sessions/${id}/leave`, {}, { token })

    expect(await heard('session.message.inserted')).toEqual({
      type: 'session.message.inserted',
      id: message.id,
      createdAt: message.created_at,
    })
    expect(await heard('session.file.inserted')).toMatchObject({ file: { id: fileId, session_id: id } })
    expect(await heard('session.file.deleted')).toEqual({ type: 'session.file.deleted', id: fileId })
    expect(await heard('session.settings')).toMatchObject({ settings: { locked: true, approval: false } })
    expect(await heard('session.peers')).toMatchObject({ participants: [{ is_creator: true }, { id: guest.id }] })
    expect(await heard('session.closed')).toEqual({ type: 'session.closed', reason: 'closed' })
    expect(await closed).toBe(4001)
  },
)

onSessionServer(
  'T108 T198 nobody hears of another session, nor of one that ends while the ticket is on its way',
  async (server) => {
    const { aSession, listen, send, post } = server
    const [one, other] = [await aSession(), await aSession()]
    const { events } = await listen(one.id, { token: one.token })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

    await send(other.id, { token: other.token })
    await send(one.id, { token: one.token })
    await expect.poll(() => events.map(({ type }) => type)).toContain('session.message.inserted')

    expect(events.filter(({ type }) => type === 'session.message.inserted')).toHaveLength(1)
    const foreign = await post(`/api/sessions/${other.id}/tickets`, {}, { token: one.token })
    expect(foreign.statusCode).toBe(404)
  },
)

onSessionServer(
  'T193 T094 who is removed is told, cut off at once, and comes back only when let in',
  async (server) => {
    const { aSession, aGuest, listen, remove, get, join, post } = server
    const { id, pin, token } = await aSession()
    const [ann, bob] = [await aGuest(pin), await aGuest(pin)]
    const { events, closed } = await listen(id, { token: ann.token })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

    const refused = await remove(`/api/sessions/${id}/participants/${ann.id}`, { token: bob.token })
    const removed = await remove(`/api/sessions/${id}/participants/${ann.id}`, { token })

    expect([refused.statusCode, removed.statusCode]).toEqual([403, 200])
    expect(await closed).toBe(4001)
    expect(events.at(-1)).toEqual({ type: 'session.closed', reason: 'removed' })
    expect((await get(`/api/sessions/${id}`, { token: ann.token })).statusCode).toBe(404)
    expect((await get(`/api/sessions/${id}/messages`, { pin })).statusCode, 'the PIN alone opens nothing').toBe(404)
    const knock = await join({ session_pin: pin })
    expect([knock.statusCode, knock.json().code]).toEqual([403, 'APPROVAL_REQUIRED'])
    expect((await get(`/api/sessions/${id}`, { token: bob.token })).statusCode, 'nobody else is touched').toBe(200)
    expect((await post(`/api/sessions/${id}/heartbeat`, {}, { token })).statusCode).toBe(200)
  },
)

onSessionServer('T191 T192 a socket without a ticket of its own, or from another page, is refused', async (server) => {
  const { aSession, listen, app } = server
  const { id, token } = await aSession()
  const { ticket, events } = await listen(id, { token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('ready')
  const { port } = app.server.address() as { port: number }
  const statusOf = (query: string, origin?: string) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live${query}`, { ...(origin && { origin }) })
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.on('open', () => resolve(101))
      socket.on('error', () => undefined)
    })

  expect(await statusOf(`?ticket=${ticket}`, 'http://sallyport.test')).toBe(401)
  expect(await statusOf('', 'http://sallyport.test')).toBe(401)
  expect(await statusOf(`?ticket=${token}`, 'http://sallyport.test')).toBe(401)
  expect(await statusOf(`?ticket=${ticket}`, 'http://elsewhere.test')).toBe(403)
  expect(await statusOf(`?ticket=${ticket}`)).toBe(403)
})

onSessionServer('who holds the live channel open stays present without another call', async (server) => {
  const { aSession, aGuest, listen, get, advance, opened } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin)
  const { events } = await listen(id, { token: guest.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('session.peers')
  const presentNow = async () =>
    (await get(`/api/sessions/${id}`, { token }))
      .json()
      .session.participants.map(({ present }: { present: boolean }) => present)

  advance(50_000)
  expect(await presentNow()).toEqual([true, false])
  await opened.presence.job.run()

  expect(await presentNow()).toEqual([true, true])
})
