import { pinLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onSessionServer, type SessionServer } from '../../testing/servers/session-server.ts'
import { solve } from '../../testing/solve-work.ts'

const wrongPin = '876543'
const anyFile = '01a1fd00-0000-7000-8000-000000000000'

/** Sends one wrong PIN from each of `count` addresses. */
async function guessFromEverywhere(server: SessionServer, count: number, start = 0): Promise<void> {
  for (let index = start; index < start + count; index += 1) {
    await server.join({ session_pin: wrongPin }, { address: `10.${index >> 8}.${index & 255}.1` })
  }
}

/** Sets the counts as if this many wrong PINs had been answered. */
async function setBudget({ db, now }: SessionServer, failures: number, repeats = 0): Promise<void> {
  const hour = Math.floor(now() / 3_600_000) * 3_600_000
  await db.deleteFrom('pin_hours').execute()
  await db.insertInto('pin_hours').values({ hour, failures, repeats, joins: 0 }).execute()
}

type Credentials = Parameters<SessionServer['join']>[1]

/** Joins, solving the challenge if the server requires one. */
async function joinWithWork({ join }: SessionServer, body: object, credentials: Credentials = {}) {
  const withoutWork = await join(body, credentials)
  if (withoutWork.json().code !== 'WORK_REQUIRED') return withoutWork
  const { challenge, bits } = withoutWork.json().details
  return join({ ...body, work: await solve(challenge, bits) }, credentials)
}

onSessionServer(
  "T086 after 64 wrong PINs strangers need work, after 88 the creator's approval; members are unaffected",
  async (server) => {
    const { createSession, createUser, join, post, get, pinFailures } = server
    const { id, pin, token, userId } = await createSession()
    const linkCheck = Buffer.alloc(32, 7).toString('base64url')
    const secret = await createSession({ key_mode: 'secret', link_check: linkCheck })
    const early = (await join({ session_pin: pin })).json()
    await guessFromEverywhere(server, pinLimits.workFromFailures)
    const withoutWork = await join({ session_pin: pin })
    const withWork = await joinWithWork(server, { session_pin: pin })
    await setBudget(server, pinLimits.answeredFailures - 1)
    await joinWithWork(server, { session_pin: wrongPin }, { address: '192.0.2.199' })

    const { challenge, bits } = (await join({ session_pin: pin })).json().details
    const work = await solve(challenge, bits)
    const waiting = await join({ session_pin: pin, work })
    const reused = await join({ session_pin: pin, work })
    const { knock, code } = waiting.json().details
    const repeated = await join({ session_pin: pin, knock })
    const findEntry = async () => (await get(`/api/sessions/${id}`, { token })).json().session.knocks[0]
    await expect.poll(findEntry).toMatchObject({ code })
    await post(`/api/sessions/${id}/knocks/${(await findEntry()).id}`, { admit: true }, { token })
    const admitted = await join({ session_pin: pin, knock })
    const signedIn = await join({ session_pin: pin }, { bearer: await createUser() })
    const creator = await join({ session_pin: pin }, { bearer: userId })

    expect([withoutWork.statusCode, withoutWork.json().code, bits]).toEqual([428, 'WORK_REQUIRED', 20])
    expect(withWork.statusCode, 'work suffices while the budget lasts').toBe(200)
    expect([waiting.statusCode, waiting.json().code]).toEqual([403, 'APPROVAL_REQUIRED'])
    expect([reused.json().code, repeated.json().details]).toEqual(['WORK_REQUIRED', { knock, code }])
    expect(admitted.statusCode).toBe(200)
    expect([signedIn.json().code, creator.statusCode]).toEqual(['WORK_REQUIRED', 200])
    expect(
      (await join({ session_pin: secret.pin, link_check: linkCheck })).statusCode,
      'the link needs no budget',
    ).toBe(200)
    const otherLink = Buffer.alloc(32, 8).toString('base64url')
    expect((await join({ session_pin: secret.pin, link_check: otherLink })).statusCode).toBe(404)
    expect((await get(`/api/sessions/${id}`, { token: early.participant_token })).statusCode, 'members').toBe(200)
    expect([pinFailures[60], pinFailures.at(-1)]).toEqual([false, true])
  },
)

onSessionServer('T086 beyond the budget a wrong PIN is answered as a right one, and is not stored', async (server) => {
  const { createSession, join, db } = server
  const { id, pin } = await createSession()
  await setBudget(server, pinLimits.answeredFailures)

  const shapes = []
  for (const session_pin of [pin, wrongPin]) {
    const first = await joinWithWork(server, { session_pin }, { address: '192.0.2.10' })
    const { knock, code } = first.json().details
    const repeated = await join({ session_pin, knock }, { address: '192.0.2.10' })
    expect(repeated.json()).toEqual(first.json())
    shapes.push([first.statusCode, { ...first.json(), details: [knock.length, code.length] }])
  }

  expect(shapes[1]).toEqual(shapes[0])
  const waiting = () => db.selectFrom('session_knocks').select('session_id').execute()
  await expect.poll(waiting).toEqual([{ session_id: id }])
  expect(await db.selectFrom('pin_failures').selectAll().execute(), 'no count distinguishes them').toEqual([])
})

onSessionServer('T086 accounts share the budget, and failures of an account count at any address', async (server) => {
  const { createSession, createUser, join } = server
  const { pin } = await createSession()
  const bearer = await createUser()
  const codes = []
  for (let count = 0; count < 11; count += 1) {
    const guess = await join({ session_pin: wrongPin }, { bearer, address: `10.9.${count}.1` })
    codes.push(guess.json().code)
  }
  const right = await join({ session_pin: pin }, { bearer, address: '10.9.99.1' })

  expect(codes).toEqual([...Array(10).fill('SESSION_NOT_FOUND'), 'PIN_LOCKED'])
  expect(right.json().code).toBe('PIN_LOCKED')
  expect((await join({ session_pin: pin }, { address: '10.9.99.1' })).statusCode).toBe(200)
})

onSessionServer(
  'one address or one IPv6 /48 cannot use up the budget of strangers, and people who mistype 3 times can join',
  async (server) => {
    const { createSession, join, db } = server
    const { pin } = await createSession()
    const failures = async () =>
      Number((await db.selectFrom('pin_hours').select('failures').executeTakeFirst())?.failures ?? 0)
    for (let host = 0; host < 40; host += 1) {
      await join({ session_pin: wrongPin }, { address: `2001:db8:7:${(host * 257).toString(16)}::1` })
    }
    const ofNetwork = await failures()
    for (let count = 0; count < 3; count += 1) await join({ session_pin: wrongPin }, { address: '192.0.2.7' })

    expect(ofNetwork).toBeLessThanOrEqual(pinLimits.answeredRepeats / 2 + 1)
    expect((await join({ session_pin: pin }, { address: '192.0.2.7' })).statusCode).toBe(200)
    expect((await join({ session_pin: pin }, { address: '192.0.2.8' })).statusCode).toBe(200)
  },
)

onSessionServer(
  'T090 a call with the right PIN from a caller who has not joined gets the same error as a wrong PIN',
  async (server) => {
    const { createSession, get, post } = server
    const { id, pin } = await createSession()
    const calls = [
      (session_pin: string, address: string) => get(`/api/sessions/files/${anyFile}`, { pin: session_pin, address }),
      (session_pin: string, address: string) => get(`/api/sessions/${id}/messages`, { pin: session_pin, address }),
      (session_pin: string, address: string) => post(`/api/sessions/${id}/tickets`, { session_pin }, { address }),
    ]
    for (const [index, call] of calls.entries()) {
      const [right, wrong] = [await call(pin, `10.2.${index}.1`), await call(wrongPin, `10.2.${index}.2`)]
      expect([right.statusCode, right.body]).toEqual([wrong.statusCode, wrong.body])
      expect(right.json().code).toBe('SESSION_NOT_FOUND')
    }
  },
)

onSessionServer('the waiting list has slots for others while one address block floods it', async (server) => {
  const { createSession, join, put, get } = server
  const { id, pin, token } = await createSession()
  await put(`/api/sessions/${id}/settings`, { approval: true }, { token })
  const requestToJoin = async (address: string) => (await join({ session_pin: pin }, { address })).json()
  const flood = []
  for (let count = 0; count < 25; count += 1) flood.push((await requestToJoin(`2001:db8:9:${count}::1`)).code)
  for (let count = 0; count < 25; count += 1) await requestToJoin(`192.0.2.${1 + (count % 3)}`)
  const newcomer = await requestToJoin('198.51.100.77')

  const { knocks } = (await get(`/api/sessions/${id}`, { token })).json().session
  expect(flood).toEqual([...Array(5).fill('APPROVAL_REQUIRED'), ...Array(20).fill('RATE_LIMITED')])
  expect(knocks).toHaveLength(20)
  expect(knocks.map(({ code }: { code: string }) => code)).toContain(newcomer.details.code)
})
