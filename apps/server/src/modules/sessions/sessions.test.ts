import { expect } from 'vitest'
import { nextPin, onSessionServerWithBothDatabases } from '../../testing/servers/session-server.ts'

const minute = 60_000
const hour = 60 * minute

onSessionServerWithBothDatabases(
  'SES-02 a session is created with a PIN, joined by it, and described with the inputs of its key',
  async (server) => {
    const { createUser, post, join, get, now } = server
    const userId = await createUser()
    const pin = nextPin()
    const opened = await post(
      '/api/sessions',
      { session_pin: pin, default_file_expiration_minutes: 30, key_mode: 'pin2' },
      { bearer: userId },
    )
    const { session, participant_token: token } = opened.json()

    const joined = (await join({ session_pin: pin })).json()
    const found = (await get(`/api/sessions/${session.id}?session_pin=${pin}`)).json()
    const own = (await get(`/api/sessions/${session.id}`, { token })).json()

    expect(opened.statusCode).toBe(200)
    expect(session).toMatchObject({
      default_file_expiration_minutes: 30,
      is_creator: true,
      key_mode: 'pin2',
      link_check: null,
      locked: false,
      approval: false,
      created_at: now(),
      expires_at: now() + 24 * hour,
      knocks: [],
    })
    expect(Buffer.from(session.key_share, 'base64url')).toHaveLength(32)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(joined.session).toMatchObject({ id: session.id, is_creator: false, key_share: session.key_share })
    expect(joined.session.participants).toMatchObject([
      { id: session.participant_id, participant_name: 'Anonymous', is_creator: true, present: true },
      { id: joined.session.participant_id, participant_name: 'Anonymous', is_creator: false, present: true },
    ])
    expect(found.session).toMatchObject({
      id: session.id,
      is_creator: false,
      participant_id: joined.session.participant_id,
    })
    expect(own.session).toMatchObject({ is_creator: true, participant_id: session.participant_id })
  },
)

onSessionServerWithBothDatabases(
  'SES-02 SES-12 the PIN can be in the body, the URL or a header; signed-in callers are identified',
  async (server) => {
    const { createSession, createUser, get, post, join } = server
    const { id, pin, userId } = await createSession()
    const guest = await createUser()
    const member = (await join({ session_pin: pin }, { bearer: guest })).json()

    const byHeader = await get(`/api/sessions/${id}`, { pin })
    const byAddress = await get(`/api/sessions/${id}?session_pin=${pin}`)
    const byBody = await post(`/api/sessions/${id}/leave`, { session_pin: pin })
    const byAccount = await get(`/api/sessions/${id}`, { bearer: guest })
    const creator = await get(`/api/sessions/${id}`, { pin, bearer: userId })

    expect([byHeader, byAddress, byBody, byAccount].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(byAccount.json().session).toMatchObject({ is_creator: false, participant_id: member.session.participant_id })
    expect(creator.json().session.is_creator).toBe(true)
  },
)

onSessionServerWithBothDatabases('T082 SES-01 an invalid PIN gets the specified user error', async (server) => {
  const { createUser, post, join } = server
  const bearer = await createUser()
  const open = async (session_pin: unknown) => (await post('/api/sessions', { session_pin }, { bearer })).json()

  expect(await open(undefined)).toMatchObject({ error: '6-digit PIN is required', code: 'PIN_REQUIRED' })
  expect(await open('')).toMatchObject({ error: '6-digit PIN is required', code: 'PIN_REQUIRED' })
  for (const pin of ['99999', '012345', '099999', '1000000', '12345', 'abcdef', ' 23456']) {
    expect(await open(pin), pin).toMatchObject({ error: 'PIN must be exactly 6 digits', code: 'PIN_INVALID' })
    expect((await join({ session_pin: pin })).json(), pin).toMatchObject({ code: 'PIN_INVALID' })
  }
})

onSessionServerWithBothDatabases('T089 only 6 plain digits are a PIN, however they are sent', async (server) => {
  const { createSession, join, get } = server
  const { id, pin } = await createSession()
  const wide = [...pin].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')

  for (const session_pin of [Number(pin), `${pin}.0`, '1e5', [pin], { pin }, `${pin} `, wide, null, true]) {
    const { statusCode } = await join({ session_pin })
    expect([JSON.stringify(session_pin), statusCode]).toEqual([JSON.stringify(session_pin), 400])
  }
  expect((await get(`/api/sessions/${id}?session_pin=${pin}&session_pin=${pin}`)).statusCode).toBe(400)
})

onSessionServerWithBothDatabases(
  'T083 a PIN in use gets a neutral error and does not count as a failure of the address',
  async (server) => {
    const { createSession, createUser, post, join } = server
    const { pin } = await createSession()
    const bearer = await createUser()
    const createAgain = () => post('/api/sessions', { session_pin: pin }, { bearer, address: '198.51.100.7' })

    const [first, ...others] = await Promise.all(Array.from({ length: 12 }, createAgain))
    const free = await post('/api/sessions', { session_pin: nextPin() }, { bearer, address: '198.51.100.7' })
    const elsewhere = await createSession()
    const joined = await join({ session_pin: elsewhere.pin }, { address: '198.51.100.7' })

    expect([first?.statusCode, first?.json().error]).toEqual([
      409,
      "This PIN can't be used right now. Please try another one.",
    ])
    expect(others.every(({ statusCode }) => statusCode === 409)).toBe(true)
    expect([free.statusCode, joined.statusCode]).toEqual([200, 200])
  },
)

onSessionServerWithBothDatabases(
  "T083 a PIN revealed by creating a session requires the creator's approval",
  async (server) => {
    const { createSession, joinAsGuest, createUser, post, get, join, openLiveSocket } = server
    const { id, pin, token } = await createSession()
    const early = await joinAsGuest(pin, '203.0.113.40')
    const own = await post('/api/sessions', { session_pin: pin }, { bearer: (await createSession()).userId })
    const prober = await createUser()

    const drawn = await post('/api/sessions', { session_pin: pin }, { bearer: prober })
    const entered = await join({ session_pin: pin }, { bearer: prober })
    const { knock } = entered.json().details
    const [entry] = (await get(`/api/sessions/${id}`, { token })).json().session.knocks
    await post(`/api/sessions/${id}/knocks/${entry.id}`, { admit: true }, { token })

    expect([own.statusCode, drawn.statusCode, entered.statusCode]).toEqual([409, 409, 403])
    expect(entered.json().code).toBe('APPROVAL_REQUIRED')
    expect((await join({ session_pin: pin, knock }, { bearer: prober })).statusCode).toBe(200)
    const byPin = await get(`/api/sessions/${id}/messages`, { pin, address: '203.0.113.40' })
    expect([byPin.statusCode, early.session.approval], 'participants are unaffected').toEqual([200, false])
    expect((await openLiveSocket(id, { token: early.token })).ticket).toEqual(expect.any(String))
  },
)

onSessionServerWithBothDatabases('an account can create 20 sessions an hour', async (server) => {
  const { createUser, post, advance } = server
  const bearer = await createUser()
  const statuses = []
  for (let count = 0; count < 21; count += 1) {
    const opened = await post('/api/sessions', { session_pin: nextPin() }, { bearer })
    statuses.push(opened.statusCode)
    const { session, participant_token: token } = opened.json()
    if (session) await post(`/api/sessions/${session.id}/leave`, {}, { token })
  }
  const refused = await post('/api/sessions', { session_pin: nextPin() }, { bearer })
  const other = await post('/api/sessions', { session_pin: nextPin() }, { bearer: await createUser() })
  advance(hour)

  expect(statuses).toEqual([...Array(20).fill(200), 429])
  expect([refused.json().code, refused.headers['retry-after'], other.statusCode]).toEqual(['RATE_LIMITED', '3600', 200])
  expect((await post('/api/sessions', { session_pin: nextPin() }, { bearer })).statusCode).toBe(200)
})

onSessionServerWithBothDatabases(
  'T091 the PIN of an ended session is blocked for a day, or 10 minutes if nobody else had joined',
  async (server) => {
    const { createSession, joinAsGuest, createUser, post, advance, closeEnded } = server
    const [joined, unjoined] = [await createSession(), await createSession()]
    await joinAsGuest(joined.pin)
    for (const { id, token } of [joined, unjoined]) await post(`/api/sessions/${id}/leave`, {}, { token })
    const createAgain = async (pin: string) =>
      (await post('/api/sessions', { session_pin: pin }, { bearer: await createUser() })).statusCode
    const createBoth = async () => [await createAgain(joined.pin), await createAgain(unjoined.pin)]

    const atOnce = await createBoth()
    advance(10 * minute)
    const soon = await createBoth()
    advance(24 * hour - 10 * minute - 1)
    await closeEnded()
    const tooEarly = await createAgain(joined.pin)
    advance(1)
    await closeEnded()

    expect([atOnce, soon, tooEarly]).toEqual([[409, 409], [409, 200], 409])
    expect(await createAgain(joined.pin)).toBe(200)
  },
)

onSessionServerWithBothDatabases(
  "PINs that a guesser tries first are rejected for the project's own clients",
  async (server) => {
    const { createUser, post } = server
    const bearer = await createUser()
    const open = async (session_pin: string, key_mode?: string) =>
      (await post('/api/sessions', { session_pin, ...(key_mode && { key_mode }) }, { bearer })).statusCode

    expect(await open('777777', 'pin2')).toBe(409)
    expect(await open('123456', 'pin2')).toBe(409)
    expect(await open('987654', 'pin2')).toBe(409)
    expect(await open('123456')).toBe(200)
  },
)

onSessionServerWithBothDatabases(
  'T092 of concurrent new sessions and participants exactly the maximum succeeds',
  async (server) => {
    const { createSession, createUser, post, join, get } = server
    const bearer = await createUser()
    const pins = Array.from({ length: 12 }, () => nextPin())
    const opened = await Promise.all(pins.map((session_pin) => post('/api/sessions', { session_pin }, { bearer })))
    const { id, pin, token } = await createSession()
    for (let index = 1; index < 45; index += 1) await join({ session_pin: pin }, { address: `192.0.2.${index}` })

    const joined = await Promise.all(
      Array.from({ length: 20 }, (_, index) => join({ session_pin: pin }, { address: `192.0.2.${100 + index}` })),
    )

    expect(opened.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
    expect(joined.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
    expect((await get(`/api/sessions/${id}`, { token })).json().session.participants).toHaveLength(50)
  },
)

onSessionServerWithBothDatabases(
  'T092 an account has at most 5 open sessions, and a session at most 50 participants',
  async (server) => {
    const { createSession, createUser, post, join, advance } = server
    const bearer = await createUser()
    const open = async () => (await post('/api/sessions', { session_pin: nextPin() }, { bearer })).statusCode
    const opened = []
    for (let count = 0; count < 6; count += 1) opened.push(await open())
    const { pin, id, token } = await createSession()
    const joinFrom = async (index: number) =>
      (await join({ session_pin: pin }, { address: `192.0.2.${index}` })).statusCode
    for (let index = 1; index < 50; index += 1) await joinFrom(index)

    const full = []
    for (let count = 0; count < 12; count += 1) full.push(await join({ session_pin: pin }, { address: '192.0.2.100' }))
    advance(45_000)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token })

    expect(opened).toEqual([200, 200, 200, 200, 200, 409])
    expect(full.map((answer) => [answer.statusCode, answer.json().code])).toEqual(Array(12).fill([409, 'SESSION_FULL']))
    expect(await joinFrom(100), 'a full session counts as no wrong PIN, and absent participants have no place').toBe(
      200,
    )
  },
)

onSessionServerWithBothDatabases(
  'T095 SES-04 a session ends 15 minutes after the last heartbeat of its creator',
  async (server) => {
    const { createSession, joinAsGuest, post, get, advance, closeEnded, db } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    advance(15 * minute - 1)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token })
    advance(15 * minute - 1)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token: guest.token })
    const before = await get(`/api/sessions/${id}`, { token: guest.token })
    advance(1)
    const after = await get(`/api/sessions/${id}`, { token: guest.token })
    await closeEnded()

    expect([before.statusCode, after.statusCode]).toEqual([200, 404])
    expect(after.json()).toMatchObject({ error: 'Session not found', code: 'SESSION_NOT_FOUND' })
    for (const table of ['sessions', 'session_participants', 'session_key_shares'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
  },
)

onSessionServerWithBothDatabases('a session ends after 24 hours despite heartbeats of its creator', async (server) => {
  const { createSession, post, get, advance } = server
  const { id, token } = await createSession()
  for (let hours = 0; hours < 96; hours += 1) {
    advance(15 * minute - 1)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token })
  }
  const before = await get(`/api/sessions/${id}`, { token })
  advance(96)

  expect([before.statusCode, (await get(`/api/sessions/${id}`, { token })).statusCode]).toEqual([200, 404])
})

onSessionServerWithBothDatabases(
  'T094 SES-04 leaving ends a participation, and the session itself when the creator leaves',
  async (server) => {
    const { createSession, joinAsGuest, post, get } = server
    const { id, pin, token } = await createSession()
    const [ann, bob] = [await joinAsGuest(pin), await joinAsGuest(pin)]

    const left = await post(`/api/sessions/${id}/leave`, { session_pin: pin }, { token: ann.token })
    const annAfter = await get(`/api/sessions/${id}`, { token: ann.token })
    const bobBefore = await get(`/api/sessions/${id}`, { token: bob.token })
    const closed = await post(`/api/sessions/${id}/leave`, { session_pin: pin }, { token })
    const bobAfter = await get(`/api/sessions/${id}`, { token: bob.token })

    expect(left.json()).toEqual({ success: true, closed: false })
    expect([annAfter.statusCode, bobBefore.statusCode]).toEqual([404, 200])
    expect(bobBefore.json().session.participants).toHaveLength(2)
    expect(closed.json()).toEqual({ success: true, closed: true })
    expect([bobAfter.statusCode, bobAfter.json().error]).toEqual([404, 'Session not found'])
    expect((await get(`/api/sessions/${id}`, { pin })).statusCode).toBe(404)
  },
)

onSessionServerWithBothDatabases(
  'T101 SES-03 only the creator can change the settings, by token or by account',
  async (server) => {
    const { createSession, joinAsGuest, createUser, put, join } = server
    const { id, pin, token, bearer } = await createSession()
    const guest = await joinAsGuest(pin)
    const member = await createUser()
    await join({ session_pin: pin }, { bearer: member })
    const change = (credentials: object, minutes = 60) =>
      put(`/api/sessions/${id}/settings`, { default_file_expiration_minutes: minutes }, credentials)

    const refused = [await change({ token: guest.token }), await change({ pin }), await change({ bearer: member })]
    const stranger = await change({ bearer: await createUser() })
    const byToken = await change({ token }, 5)
    const byAccount = await change(bearer, 1)
    const notOffered = await change({ token }, 7)

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
    expect(stranger.statusCode).toBe(404)
    expect(byToken.json().session.default_file_expiration_minutes).toBe(5)
    expect(byAccount.json().session.default_file_expiration_minutes).toBe(1)
    expect([notOffered.statusCode, notOffered.json().code]).toEqual([400, 'EXPIRATION_NOT_OFFERED'])
  },
)
