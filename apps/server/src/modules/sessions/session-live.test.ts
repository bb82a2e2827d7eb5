import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { onSessionServer, sealSessionFile } from '../../testing/servers/session-server.ts'

onSessionServer(
  'SES-10 every participant is notified of messages, files, settings, participants and the end',
  async (server) => {
    const { createSession, joinAsGuest, openLiveSocket, send, storeFile, remove, put, post } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    const { events, closed } = await openLiveSocket(id, { token: guest.token })
    const waitFor = async (type: string) => {
      const last = () => events.findLast((event) => event.type === type)
      await expect.poll(last).toBeDefined()
      return last()
    }
    await waitFor('ready')

    const { message } = (await send(id, { token })).json()
    const fileId = await storeFile(id, { token }, await sealSessionFile(10))
    await waitFor('session.file.inserted')
    await remove(`/api/sessions/files/${fileId}`, { token })
    await put(`/api/sessions/${id}/settings`, { locked: true }, { token })
    await waitFor('session.settings')
    await waitFor('session.peers')
    await post(`/api/sessions/${id}/leave`, {}, { token })

    expect(await waitFor('session.message.inserted')).toEqual({
      type: 'session.message.inserted',
      id: message.id,
      createdAt: message.created_at,
    })
    expect(await waitFor('session.file.inserted')).toMatchObject({ file: { id: fileId, session_id: id } })
    expect(await waitFor('session.file.deleted')).toEqual({ type: 'session.file.deleted', id: fileId })
    expect(await waitFor('session.settings')).toMatchObject({ settings: { locked: true, approval: false } })
    expect(await waitFor('session.peers')).toMatchObject({ participants: [{ is_creator: true }, { id: guest.id }] })
    expect(await waitFor('session.closed')).toEqual({ type: 'session.closed', reason: 'closed' })
    expect(await closed).toBe(4001)
  },
)

onSessionServer('T108 T198 a socket receives no events of another session, and no ticket for it', async (server) => {
  const { createSession, openLiveSocket, send, post } = server
  const [one, other] = [await createSession(), await createSession()]
  const { events } = await openLiveSocket(one.id, { token: one.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

  await send(other.id, { token: other.token })
  await send(one.id, { token: one.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('session.message.inserted')

  expect(events.filter(({ type }) => type === 'session.message.inserted')).toHaveLength(1)
  const foreign = await post(`/api/sessions/${other.id}/tickets`, {}, { token: one.token })
  expect(foreign.statusCode).toBe(404)
})

onSessionServer(
  'T193 T094 a removed participant is notified, disconnected at once, and can rejoin only with approval',
  async (server) => {
    const { createSession, joinAsGuest, openLiveSocket, remove, get, join, post } = server
    const { id, pin, token } = await createSession()
    const [ann, bob] = [await joinAsGuest(pin), await joinAsGuest(pin)]
    const { events, closed } = await openLiveSocket(id, { token: ann.token })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

    const refused = await remove(`/api/sessions/${id}/participants/${ann.id}`, { token: bob.token })
    const removed = await remove(`/api/sessions/${id}/participants/${ann.id}`, { token })

    expect([refused.statusCode, removed.statusCode]).toEqual([403, 200])
    expect(await closed).toBe(4001)
    expect(events.at(-1)).toEqual({ type: 'session.closed', reason: 'removed' })
    expect((await get(`/api/sessions/${id}`, { token: ann.token })).statusCode).toBe(404)
    expect((await get(`/api/sessions/${id}/messages`, { pin })).statusCode, 'the PIN alone gives no access').toBe(404)
    const knock = await join({ session_pin: pin })
    expect([knock.statusCode, knock.json().code]).toEqual([403, 'APPROVAL_REQUIRED'])
    expect((await get(`/api/sessions/${id}`, { token: bob.token })).statusCode, 'others are unaffected').toBe(200)
    expect((await post(`/api/sessions/${id}/heartbeat`, {}, { token })).statusCode).toBe(200)
  },
)

onSessionServer('T191 T192 a socket without a valid ticket or from a foreign page is rejected', async (server) => {
  const { createSession, openLiveSocket, app } = server
  const { id, token } = await createSession()
  const { ticket, events } = await openLiveSocket(id, { token })
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

onSessionServer('SES-04 a participant whose page is closed is away within 10 seconds, for everyone', async (server) => {
  const { createSession, joinAsGuest, openLiveSocket, get } = server
  const { id, pin, token } = await createSession()
  const guest = await joinAsGuest(pin)
  const creator = await openLiveSocket(id, { token })
  const { socket } = await openLiveSocket(id, { token: guest.token })
  const published = () => {
    const list = creator.events.findLast(({ type }) => type === 'session.peers')?.['participants'] ?? []
    return (list as { present: boolean }[]).map(({ present }) => present)
  }
  await expect.poll(published, { timeout: 5000 }).toEqual([true, true])

  socket.terminate()

  await expect.poll(published).toEqual([true, false])
  const { session } = (await get(`/api/sessions/${id}`, { token })).json()
  expect(session.participants).toMatchObject([{ present: true }, { id: guest.id, present: false }])
})

onSessionServer('a participant with an open live channel stays present without other calls', async (server) => {
  const { createSession, joinAsGuest, openLiveSocket, get, advance, sessions } = server
  const { id, pin, token } = await createSession()
  const guest = await joinAsGuest(pin)
  const { events } = await openLiveSocket(id, { token: guest.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('session.peers')
  const listPresence = async () =>
    (await get(`/api/sessions/${id}`, { token }))
      .json()
      .session.participants.map(({ present }: { present: boolean }) => present)

  advance(50_000)
  expect(await listPresence()).toEqual([true, false])
  await sessions.presence.job.run()

  expect(await listPresence()).toEqual([true, true])
})
