import { expect } from 'vitest'
import { createLocalMutex } from '../../platform/rate-limit/mutex.ts'
import { createPinFailuresStore } from '../../platform/rate-limit/pin-failures.store.ts'
import { createPinGuard } from '../../platform/rate-limit/pin-guard.ts'
import { createLocalRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { randomUploadId } from '../../testing/servers/file-server.ts'
import { onSessionServerWithBothDatabases, sealSessionFile } from '../../testing/servers/session-server.ts'
import { createUnjoinableSessions } from '../../testing/servers/unjoinable-sessions.ts'

const minute = 60_000
const wrongPin = '876543'

onSessionServerWithBothDatabases(
  'T084 10 wrong PINs lock an address block on every node, and each lock is longer',
  async (server) => {
    const { createSession, join, advance, db, now, secrets } = server
    const { pin } = await createSession()
    const address = '198.51.100.1'
    const guess = async (session_pin = wrongPin) => join({ session_pin }, { address })

    const wrong = []
    for (let count = 0; count < 10; count += 1) wrong.push((await guess()).statusCode)
    const eleventh = await guess()
    const right = await guess(pin)
    const neighbour = await join({ session_pin: pin }, { address: '198.51.100.2' })
    const otherGuard = createPinGuard({
      store: createPinFailuresStore(db),
      rateLimiter: createLocalRateLimiter(now),
      mutex: createLocalMutex(),
      secret: secrets.pin,
      now,
    })
    const lockedThere = await otherGuard.checkCode(address, async () => pin)
    advance(10 * minute)
    const later = await guess(pin)

    expect(wrong).toEqual(Array.from({ length: 10 }, () => 404))
    expect([eleventh.statusCode, eleventh.json().code]).toEqual([429, 'PIN_LOCKED'])
    expect(Number(eleventh.headers['retry-after'])).toBe(600)
    expect(eleventh.json().error).toBe('Too many wrong PINs. Try again in 10 minutes.')
    expect(lockedThere).toMatchObject({ lockedSeconds: expect.any(Number) })
    expect([right.statusCode, neighbour.statusCode]).toEqual([429, 200])
    expect(later.json().code, 'afterwards the PIN alone requires work').toBe('WORK_REQUIRED')
  },
)

onSessionServerWithBothDatabases('T084 an IPv6 network of 64 bits is one source', async (server) => {
  const { join } = server
  const guess = async (host: number) =>
    (await join({ session_pin: wrongPin }, { address: `2001:db8:1:2::${host}` })).statusCode
  for (let host = 1; host <= 10; host += 1) await guess(host)

  expect(await guess(11)).toBe(429)
  expect((await join({ session_pin: wrongPin }, { address: '2001:db8:1:3::1' })).statusCode).toBe(404)
})

onSessionServerWithBothDatabases('T085 T198 wrong PINs of all calls count together', async (server) => {
  const { createSession, join, get, post, remove, sendChunk, completeUpload, storeFile, put, guard } = server
  const { id, token } = await createSession()
  const fileId = await storeFile(id, { token }, await sealSessionFile(10))
  const file = await sealSessionFile(10)
  const address = '198.51.100.3'
  const credentials = { pin: wrongPin, address }
  const calls = [
    () => join({ session_pin: wrongPin }, { address }),
    () => get(`/api/sessions/${id}?session_pin=${wrongPin}`, { address }),
    () => get(`/api/sessions/${id}/messages?session_pin=${wrongPin}`, { address }),
    () =>
      post(
        `/api/sessions/${id}/messages`,
        { message_text: 'x', encrypted_key: 'x', session_pin: wrongPin },
        { address },
      ),
    () => get(`/api/sessions/${id}/files`, credentials),
    () => get(`/api/sessions/files/${fileId}/download?session_pin=${wrongPin}`, { address }),
    () => remove(`/api/sessions/files/${fileId}?session_pin=${wrongPin}`, { address }),
    () => sendChunk(id, credentials, { file, uploadId: randomUploadId(), index: 0 }),
    () => completeUpload(id, credentials, { file, uploadId: randomUploadId() }),
    () => post(`/api/sessions/${id}/tickets`, { session_pin: wrongPin }, { address }),
  ]
  const codes = []
  for (const call of calls) codes.push((await call()).statusCode)

  expect(codes).toEqual(Array.from({ length: 10 }, () => 404))
  for (const call of calls) expect((await call()).statusCode).toBe(429)
  expect((await put(`/api/sessions/${id}/settings`, {}, credentials)).statusCode).toBe(429)
  expect(await guard.checkCode(address, async () => 'a room'), 'portals use the same limiter').toMatchObject({
    lockedSeconds: expect.any(Number),
  })
  expect((await get(`/api/sessions/${id}`, { token, address })).statusCode, 'tokens are unaffected').toBe(200)
})

onSessionServerWithBothDatabases('T084 wrong room codes count together with wrong PINs', async (server) => {
  const { guard, join } = server
  for (let count = 0; count < 10; count += 1) await guard.countWrongCode('198.51.100.4')

  expect((await join({ session_pin: wrongPin }, { address: '198.51.100.4' })).statusCode).toBe(429)
})

onSessionServerWithBothDatabases(
  'T087 10 wrong PINs for a known session lock the block out of it for 15 minutes',
  async (server) => {
    const { createSession, joinAsGuest, get, advance } = server
    const { id, pin, token } = await createSession()
    const address = '198.51.100.5'
    for (const origin of [address, '198.51.100.6']) await joinAsGuest(pin, origin)
    for (let count = 0; count < 10; count += 1) await get(`/api/sessions/${id}`, { pin: wrongPin, address })
    advance(10 * minute)
    const stillLocked = await get(`/api/sessions/${id}`, { pin, address })
    const others = await get(`/api/sessions/${id}`, { pin, address: '198.51.100.6' })
    const holder = await get(`/api/sessions/${id}`, { token, address })
    await server.post(`/api/sessions/${id}/heartbeat`, {}, { token })
    advance(5 * minute)

    expect([stillLocked.statusCode, others.statusCode, holder.statusCode]).toEqual([429, 200, 200])
    expect((await get(`/api/sessions/${id}`, { pin, address })).statusCode).toBe(200)
  },
)

onSessionServerWithBothDatabases('many concurrent joins from one address do not count as guesses', async (server) => {
  const { createSession, join } = server
  const { pin } = await createSession()

  const answers = await Promise.all(
    Array.from({ length: 30 }, () => join({ session_pin: pin }, { address: '192.0.2.1' })),
  )
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => join({ session_pin: wrongPin }, { address: '192.0.2.2' })),
  )

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
  expect(guesses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(10)
})

onSessionServerWithBothDatabases(
  'T090 a missing, ended or locked session and a wrong PIN get the same error',
  async (server) => {
    const pins = { wrong: wrongPin, ...(await createUnjoinableSessions(server)) }
    const bodies = []
    for (const [what, session_pin] of Object.entries(pins)) {
      const answer = await server.join({ session_pin }, { address: '203.0.113.77' })
      expect(answer.statusCode, what).toBe(404)
      bodies.push(answer.body)
    }

    expect(new Set(bodies)).toEqual(
      new Set(['{"success":false,"error":"Session not found","code":"SESSION_NOT_FOUND"}']),
    )
  },
)

onSessionServerWithBothDatabases(
  'SES-02 a creator who requires approval admits or denies each join request',
  async (server) => {
    const { createSession, joinAsGuest, join, put, post, get } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    await put(`/api/sessions/${id}/settings`, { approval: true }, { token })
    const requestToJoin = async () => (await join({ session_pin: pin })).json().details
    const [one, two] = [await requestToJoin(), await requestToJoin()]
    const { knocks } = (await get(`/api/sessions/${id}`, { token })).json().session
    const idOf = (code: string) => knocks.find((knock: { code: string }) => knock.code === code).id
    const answer = (code: string, admit: boolean, credentials = { token }) =>
      post(`/api/sessions/${id}/knocks/${idOf(code)}`, { admit }, credentials)

    const byGuest = await answer(one.code, true, { token: guest.token })
    await answer(one.code, true)
    await answer(two.code, false)

    expect(byGuest.statusCode).toBe(403)
    expect((await get(`/api/sessions/${id}`, { token: guest.token })).json().session.knocks).toEqual([])
    expect((await join({ session_pin: pin, knock: one.knock })).statusCode).toBe(200)
    const denied = await join({ session_pin: pin, knock: two.knock })
    expect([denied.statusCode, denied.json().code]).toEqual([403, 'APPROVAL_DENIED'])
    expect((await answer(two.code, true)).statusCode, 'an answer is final').toBe(404)
  },
)

onSessionServerWithBothDatabases(
  'T093 neither log nor database contains a PIN, token, join request or address of a guesser',
  async (server) => {
    const { createSession, joinAsGuest, join, get, log, db, send } = server
    const { id, pin, token } = await createSession()
    const guest = await joinAsGuest(pin)
    await send(id, { pin })
    await get(`/api/sessions/${id}?session_pin=${pin}`)
    await get(`/api/sessions/${id}/messages?session_pin=${wrongPin}`, { address: '198.51.100.99' })
    await join({ session_pin: wrongPin }, { address: '198.51.100.99' })

    const tables = [
      'sessions',
      'resting_pins',
      'session_key_shares',
      'session_participants',
      'session_messages',
      'pin_failures',
      'pin_hours',
    ] as const
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
    const stored = `${log.join('\n')}\n${JSON.stringify(rows)}`

    expect(rows[0]).toHaveLength(1)
    expect(log.length).toBeGreaterThan(5)
    for (const secret of [pin, wrongPin, token, guest.token, '198.51.100.99']) {
      // The digits of a PIN can be part of a time or an id.
      expect(stored).not.toMatch(new RegExp(`\\b${RegExp.escape(secret)}\\b`))
    }
  },
)
