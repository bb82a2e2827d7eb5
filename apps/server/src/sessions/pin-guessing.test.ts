import { expect } from 'vitest'
import { createLocalAttempts } from '../limits/attempts.ts'
import { createPinFailuresStore } from '../limits/pin-failures.store.ts'
import { createPinGuard } from '../limits/pin-guard.ts'
import { createLocalTurns } from '../limits/turns.ts'
import { expectAlike } from '../testing/expect-alike.ts'
import { onSessionServer, type SessionServer, sealSessionFile } from '../testing/session-server.ts'
import { anUploadId } from '../testing/storing-server.ts'

const minute = 60_000
const wrongPin = '876543'

onSessionServer(
  'T084 ten wrong PINs from a block of addresses lock it out, on every node, and each time for longer',
  async (server) => {
    const { aSession, join, advance, db, now, secrets } = server
    const { pin } = await aSession()
    const address = '198.51.100.1'
    const guess = async (session_pin = wrongPin) => join({ session_pin }, { address })

    const wrong = []
    for (let count = 0; count < 10; count += 1) wrong.push((await guess()).statusCode)
    const eleventh = await guess()
    const right = await guess(pin)
    const neighbour = await join({ session_pin: pin }, { address: '198.51.100.2' })
    const onAnotherNode = createPinGuard({
      store: createPinFailuresStore(db),
      attempts: createLocalAttempts(now),
      turns: createLocalTurns(),
      secret: secrets.pin,
      now,
    })
    const foundThere = await onAnotherNode.look(address, async () => pin)
    advance(10 * minute)
    const later = await guess(pin)

    expect(wrong).toEqual(Array.from({ length: 10 }, () => 404))
    expect([eleventh.statusCode, eleventh.json().code]).toEqual([429, 'PIN_LOCKED'])
    expect(Number(eleventh.headers['retry-after'])).toBe(600)
    expect(foundThere).toMatchObject({ lockedSeconds: expect.any(Number) })
    expect([right.statusCode, neighbour.statusCode]).toEqual([429, 200])
    expect(later.json().code, 'then the PIN alone is no longer answered to it').toBe('WORK_REQUIRED')
  },
)

onSessionServer('T084 an IPv6 network of 64 bits is one source', async (server) => {
  const { join } = server
  const guess = async (host: number) =>
    (await join({ session_pin: wrongPin }, { address: `2001:db8:1:2::${host}` })).statusCode
  for (let host = 1; host <= 10; host += 1) await guess(host)

  expect(await guess(11)).toBe(429)
  expect((await join({ session_pin: wrongPin }, { address: '2001:db8:1:3::1' })).statusCode).toBe(404)
})

onSessionServer('T085 T198 wrong PINs count together, whichever call they come by', async (server) => {
  const { aSession, join, get, post, remove, sendChunk, completeUpload, storeFile, put, guard } = server
  const { id, token } = await aSession()
  const fileId = await storeFile(id, { token }, await sealSessionFile(10))
  const file = await sealSessionFile(10)
  const address = '198.51.100.3'
  const shown = { pin: wrongPin, address }
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
    () => get(`/api/sessions/${id}/files`, shown),
    () => get(`/api/sessions/files/${fileId}/download?session_pin=${wrongPin}`, { address }),
    () => remove(`/api/sessions/files/${fileId}?session_pin=${wrongPin}`, { address }),
    () => sendChunk(id, shown, { file, uploadId: anUploadId(), index: 0 }),
    () => completeUpload(id, shown, { file, uploadId: anUploadId() }),
    () => post(`/api/sessions/${id}/tickets`, { session_pin: wrongPin }, { address }),
  ]
  const codes = []
  for (const call of calls) codes.push((await call()).statusCode)

  expect(codes).toEqual(Array.from({ length: 10 }, () => 404))
  for (const call of calls) expect((await call()).statusCode).toBe(429)
  expect((await put(`/api/sessions/${id}/settings`, {}, shown)).statusCode).toBe(429)
  expect(await guard.look(address, async () => 'a room'), 'portals ask the same limiter').toMatchObject({
    lockedSeconds: expect.any(Number),
  })
  expect((await get(`/api/sessions/${id}`, { token, address })).statusCode, 'tokens are none of it').toBe(200)
})

onSessionServer('T084 the codes of rooms that led nowhere count along with wrong PINs', async (server) => {
  const { guard, join } = server
  for (let count = 0; count < 10; count += 1) await guard.missed('198.51.100.4')

  expect((await join({ session_pin: wrongPin }, { address: '198.51.100.4' })).statusCode).toBe(429)
})

onSessionServer(
  'T087 ten wrong PINs for a known session keep that block from it for a quarter of an hour',
  async (server) => {
    const { aSession, aGuest, get, advance } = server
    const { id, pin, token } = await aSession()
    const address = '198.51.100.5'
    for (const home of [address, '198.51.100.6']) await aGuest(pin, home)
    for (let count = 0; count < 10; count += 1) await get(`/api/sessions/${id}`, { pin: wrongPin, address })
    advance(10 * minute)
    const stillShut = await get(`/api/sessions/${id}`, { pin, address })
    const others = await get(`/api/sessions/${id}`, { pin, address: '198.51.100.6' })
    const holder = await get(`/api/sessions/${id}`, { token, address })
    await server.post(`/api/sessions/${id}/heartbeat`, {}, { token })
    advance(5 * minute)

    expect([stillShut.statusCode, others.statusCode, holder.statusCode]).toEqual([429, 200, 200])
    expect((await get(`/api/sessions/${id}`, { pin, address })).statusCode).toBe(200)
  },
)

onSessionServer('many who join at once from one address are not taken for somebody who guesses', async (server) => {
  const { aSession, join } = server
  const { pin } = await aSession()

  const answers = await Promise.all(
    Array.from({ length: 30 }, () => join({ session_pin: pin }, { address: '192.0.2.1' })),
  )
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => join({ session_pin: wrongPin }, { address: '192.0.2.2' })),
  )

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
  expect(guesses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(10)
})

onSessionServer(
  'T090 no session, one that is over, full or locked, and a wrong PIN are answered alike',
  async (server) => {
    const pins = { wrong: wrongPin, ...(await shutSessions(server)) }
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

onSessionServer(
  'T090 over 200 pairs a session that is over, full or locked refuses as fast as none',
  async (server) => {
    const { join, db } = server
    let asked = 0
    const timeOf = (session_pin: string) => async (): Promise<number> => {
      asked += 1
      const before = performance.now()
      const { statusCode } = await join({ session_pin }, { address: `10.1.${asked >> 8}.${asked & 255}` })
      expect(statusCode).toBe(404)
      return performance.now() - before
    }
    const forgetGuesses = async () => {
      await db.deleteFrom('pin_hours').execute()
      await db.deleteFrom('pin_failures').execute()
    }

    for (const pin of Object.values(await shutSessions(server))) {
      await expectAlike({ known: timeOf(pin), unknown: timeOf(wrongPin) }, 1, forgetGuesses)
    }
  },
)

/** The PINs of sessions that nobody can join: left, silent, locked and full. */
async function shutSessions({ aSession, join, post, put, db, now }: SessionServer) {
  const [over, silent, locked, full] = [await aSession(), await aSession(), await aSession(), await aSession()]
  await post(`/api/sessions/${over.id}/leave`, {}, { token: over.token })
  await db
    .updateTable('sessions')
    .set({ creator_seen_at: now() - 15 * minute })
    .where('id', '=', silent.id)
    .execute()
  await put(`/api/sessions/${locked.id}/settings`, { locked: true }, { token: locked.token })
  for (let place = 1; place < 50; place += 1) await join({ session_pin: full.pin }, { address: `192.0.2.${place}` })
  return { over: over.pin, silent: silent.pin, locked: locked.pin, full: full.pin }
}

onSessionServer('SES-02 a creator who asks to be asked lets newcomers in or not, one by one', async (server) => {
  const { aSession, aGuest, join, put, post, get } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin)
  await put(`/api/sessions/${id}/settings`, { approval: true }, { token })
  const ask = async () => (await join({ session_pin: pin })).json().details
  const [one, two] = [await ask(), await ask()]
  const { knocks } = (await get(`/api/sessions/${id}`, { token })).json().session
  const idOf = (code: string) => knocks.find((knock: { code: string }) => knock.code === code).id
  const answer = (code: string, admit: boolean, show = { token }) =>
    post(`/api/sessions/${id}/knocks/${idOf(code)}`, { admit }, show)

  const byGuest = await answer(one.code, true, { token: guest.token })
  await answer(one.code, true)
  await answer(two.code, false)

  expect(byGuest.statusCode).toBe(403)
  expect((await get(`/api/sessions/${id}`, { token: guest.token })).json().session.knocks).toEqual([])
  expect((await join({ session_pin: pin, knock: one.knock })).statusCode).toBe(200)
  const denied = await join({ session_pin: pin, knock: two.knock })
  expect([denied.statusCode, denied.json().code]).toEqual([403, 'APPROVAL_DENIED'])
  expect((await answer(two.code, true)).statusCode, 'an answer stands').toBe(404)
})

onSessionServer('T093 no PIN, token, knock or address of a guesser is in the log or the database', async (server) => {
  const { aSession, aGuest, join, get, log, db, send } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin)
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
  const kept = `${log.join('\n')}\n${JSON.stringify(rows)}`

  expect(rows[0]).toHaveLength(1)
  expect(log.length).toBeGreaterThan(5)
  for (const secret of [pin, wrongPin, token, guest.token, '198.51.100.99']) expect(kept).not.toContain(secret)
})
