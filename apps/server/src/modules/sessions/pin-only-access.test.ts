import { expect } from 'vitest'
import { onSessionServer } from '../../testing/servers/session-server.ts'

const home = '203.0.113.31'
const elsewhere = '203.0.113.32'
const minute = 60_000

onSessionServer('T094 the PIN gives no access to a caller who never joined or has left', async (server) => {
  const { createSession, joinAsGuest, get, post, send } = server
  const { id, pin, token } = await createSession()
  await joinAsGuest(pin, home)
  const read = (address: string) => get(`/api/sessions/${id}/messages`, { pin, address })
  const ticket = (address: string) => post(`/api/sessions/${id}/tickets`, {}, { pin, address })
  const before = [await read(home), await ticket(home), await read(elsewhere), await ticket(elsewhere)]
  const left = await post(`/api/sessions/${id}/leave`, { session_pin: pin }, { address: home })
  await send(id, { token })
  const after = [await read(home), await ticket(home)]

  expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 404])
  expect(left.json()).toEqual({ success: true, closed: false })
  expect(after.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  expect((await get(`/api/sessions/${id}`, { token })).json().session.participants).toHaveLength(1)
})

onSessionServer('a participant who reads by PIN alone is listed as present, also after a silence', async (server) => {
  const { createSession, joinAsGuest, get, post, advance } = server
  const { id, pin, token } = await createSession()
  const reader = await joinAsGuest(pin, home)
  advance(14 * minute)
  await post(`/api/sessions/${id}/heartbeat`, {}, { token })
  advance(10 * minute)
  const idsNow = async () =>
    (await get(`/api/sessions/${id}`, { token })).json().session.participants.map((one: { id: string }) => one.id)
  const silent = await idsNow()

  const read = await get(`/api/sessions/${id}/messages`, { pin, address: home })

  expect([silent.includes(reader.id), read.statusCode]).toEqual([false, 200])
  expect(await idsNow()).toContain(reader.id)
})

onSessionServer(
  'T193 a removed participant with the PIN alone is disconnected, and cannot read as a neighbour',
  async (server) => {
    const { createSession, joinAsGuest, openLiveSocket, remove, get, put, send } = server
    const { id, pin, token } = await createSession()
    const byPin = await joinAsGuest(pin, home)
    const { events, closed } = await openLiveSocket(id, { pin, address: home })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')
    const neighbour = await joinAsGuest(pin, home)
    await get(`/api/sessions/${id}`, { token: neighbour.token, address: home })

    await remove(`/api/sessions/${id}/participants/${byPin.id}`, { token })
    expect(await closed).toBe(4001)
    await send(id, { token })
    await put(`/api/sessions/${id}/settings`, { approval: false }, { token })

    expect(events.at(-1)).toEqual({ type: 'session.closed', reason: 'removed' })
    expect((await get(`/api/sessions/${id}/messages`, { pin, address: home })).statusCode).toBe(404)
    expect((await get(`/api/sessions/${id}/messages`, { token: neighbour.token, address: home })).statusCode).toBe(200)
  },
)

onSessionServer('the socket of a participant who leaves closes, and an earlier ticket opens none', async (server) => {
  const { createSession, joinAsGuest, openLiveSocket, post, sessions } = server
  const { id, pin, token } = await createSession()
  const guest = await joinAsGuest(pin, home)
  const { events, closed } = await openLiveSocket(id, { token: guest.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

  await post(`/api/sessions/${id}/leave`, {}, { token: guest.token })
  expect(await closed).toBe(4001)
  const late = await sessions.tickets.issue({ purpose: 'session', sessionId: id, participantId: guest.id })
  const ofCreator = await openLiveSocket(id, { token })
  const reopened = await openLiveSocket(id, { token }, late)

  await expect.poll(() => ofCreator.events.map(({ type }) => type)).toContain('ready')
  expect(await reopened.closed).toBe(4001)
  expect(reopened.events.map(({ type }) => type)).not.toContain('ready')
})

onSessionServer('while a session is locked or requires approval the PIN alone identifies nobody', async (server) => {
  const { createSession, joinAsGuest, createUser, put, get, join } = server
  const { id, pin, token } = await createSession()
  await joinAsGuest(pin, home)
  const member = await createUser()
  await join({ session_pin: pin }, { bearer: member })
  const read = async (credentials: object) =>
    (await get(`/api/sessions/${id}/messages`, { pin, ...credentials })).statusCode

  for (const setting of ['locked', 'approval']) {
    await put(`/api/sessions/${id}/settings`, { [setting]: true }, { token })
    expect([setting, await read({ address: home }), await read({ bearer: member })]).toEqual([setting, 404, 200])
    await put(`/api/sessions/${id}/settings`, { [setting]: false }, { token })
  }
  expect(await read({ address: home })).toBe(200)
})

onSessionServer(
  'a caller at the same address leaves by PIN for themselves, not for a signed-in participant',
  async (server) => {
    const { createSession, createUser, post, get, join } = server
    const { id, pin, token } = await createSession()
    const member = await createUser()
    await join({ session_pin: pin }, { bearer: member, address: home })

    const left = await post(`/api/sessions/${id}/leave`, { session_pin: pin }, { address: home })

    expect(left.json()).toEqual({ success: true, closed: false })
    expect((await get(`/api/sessions/${id}`, { pin, bearer: member })).statusCode).toBe(200)
    expect((await get(`/api/sessions/${id}`, { token })).json().session.participants).toHaveLength(2)
  },
)
