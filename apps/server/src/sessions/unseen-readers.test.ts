import { expect } from 'vitest'
import { onSessionServer } from '../testing/session-server.ts'

const home = '203.0.113.31'
const elsewhere = '203.0.113.32'
const minute = 60_000

onSessionServer(
  'T094 the PIN opens nothing to one who never joined, and nothing any more to one who has left',
  async (server) => {
    const { aSession, aGuest, get, post, send } = server
    const { id, pin, token } = await aSession()
    await aGuest(pin, home)
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
  },
)

onSessionServer('who reads by the PIN alone is in the list of participants, also after a silence', async (server) => {
  const { aSession, aGuest, get, post, advance } = server
  const { id, pin, token } = await aSession()
  const reader = await aGuest(pin, home)
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
  'T193 a removed participant that shows the PIN alone loses its socket, and reads through no neighbour',
  async (server) => {
    const { aSession, aGuest, listen, remove, get, put, send } = server
    const { id, pin, token } = await aSession()
    const byPin = await aGuest(pin, home)
    const { events, closed } = await listen(id, { pin, address: home })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')
    const neighbour = await aGuest(pin, home)
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

onSessionServer('the socket of one who leaves ends, and a ticket from before opens none', async (server) => {
  const { aSession, aGuest, listen, post, opened } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin, home)
  const { events, closed } = await listen(id, { token: guest.token })
  await expect.poll(() => events.map(({ type }) => type)).toContain('ready')

  await post(`/api/sessions/${id}/leave`, {}, { token: guest.token })
  expect(await closed).toBe(4001)
  const late = await opened.tickets.issue({ purpose: 'session', sessionId: id, participantId: guest.id })
  const ofCreator = await listen(id, { token })
  const again = await listen(id, { token }, late)

  await expect.poll(() => ofCreator.events.map(({ type }) => type)).toContain('ready')
  expect(await again.closed).toBe(4001)
  expect(again.events.map(({ type }) => type)).not.toContain('ready')
})

onSessionServer('while a session is locked or asks for approval the PIN alone stands for no one', async (server) => {
  const { aSession, aGuest, aUser, put, get, join } = server
  const { id, pin, token } = await aSession()
  await aGuest(pin, home)
  const member = await aUser()
  await join({ session_pin: pin }, { bearer: member })
  const read = async (show: object) => (await get(`/api/sessions/${id}/messages`, { pin, ...show })).statusCode

  for (const setting of ['locked', 'approval']) {
    await put(`/api/sessions/${id}/settings`, { [setting]: true }, { token })
    expect([setting, await read({ address: home }), await read({ bearer: member })]).toEqual([setting, 404, 200])
    await put(`/api/sessions/${id}/settings`, { [setting]: false }, { token })
  }
  expect(await read({ address: home })).toBe(200)
})

onSessionServer(
  'somebody at the same address leaves by the PIN for themselves, not for who is signed in',
  async (server) => {
    const { aSession, aUser, post, get, join } = server
    const { id, pin, token } = await aSession()
    const member = await aUser()
    await join({ session_pin: pin }, { bearer: member, address: home })

    const left = await post(`/api/sessions/${id}/leave`, { session_pin: pin }, { address: home })

    expect(left.json()).toEqual({ success: true, closed: false })
    expect((await get(`/api/sessions/${id}`, { pin, bearer: member })).statusCode).toBe(200)
    expect((await get(`/api/sessions/${id}`, { token })).json().session.participants).toHaveLength(2)
  },
)
