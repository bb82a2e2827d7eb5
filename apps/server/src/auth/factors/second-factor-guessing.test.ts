import { randomUUID } from 'node:crypto'
import { secondFactorLimits } from '@sallyport/contract/limits'
import { guessingLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { datedForm, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'

const second = 1000
const day = 24 * 60 * 60_000
const step = secondFactorLimits.codeSeconds * second
const subject = 'Many wrong codes for your account'
const home = '198.51.100.7'
const abroad = '192.0.2.1'

async function start(stage: Stage) {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const signIn = async () => {
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}`, ...datedForm }
  }
  const enrolled = await server.post('/auth/v1/factors', { factor_type: 'totp' }, { ...member.bearer, ...datedForm })
  const { id, totp } = enrolled.json()

  async function answer(code: string, bearer: Record<string, string>, block: string) {
    const headers = { ...bearer, 'x-forwarded-for': block }
    const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, headers)
    return server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.json().id, code }, headers)
  }
  const right = () => appCode(totp.secret, stage.now())
  const wrong = () => (right() === '000000' ? '000001' : '000000')
  await answer(right(), { ...member.bearer, ...datedForm }, home)
  stage.advance(step)

  /** Enters a wrong code; waits as long as it is told to before each. Returns the waits in seconds. */
  async function guessFor(count: number): Promise<number[]> {
    let bearer = await signIn()
    const waits: number[] = []
    while (waits.length < count) {
      const guessed = await answer(wrong(), bearer, abroad)
      if (guessed.statusCode === 422) {
        waits.push(0)
        continue
      }
      const wait = Number(guessed.headers['retry-after'])
      stage.advance(wait * second)
      bearer = await signIn()
      expect((await answer(wrong(), bearer, abroad)).statusCode).toBe(422)
      waits.push(wait)
    }
    return waits
  }
  const notices = async () => (await server.letters()).filter((letter) => letter.subject === subject)
  return { ...server, factorId: id as string, member, signIn, answer, right, wrong, guessFor, notices }
}

onBothDatabases('T075 wrong codes of a second factor make the next wait longer, up to a day', async (stage) => {
  const server = await start(stage)
  const most = guessingLimits.secondFactorTiers.at(-1)?.points ?? 0
  const begun = stage.now()

  const waits = (await server.guessFor(most + 1)).filter((wait) => wait > 0)

  expect(waits.toSorted((one, other) => one - other)).toEqual(waits)
  expect(waits[0]).toBeLessThanOrEqual(5 * 60)
  expect(waits.at(-1)).toBeGreaterThan(8 * 60 * 60)
  // The longest window began with the code that enrolled the app, one step before.
  expect(stage.now() + step - begun).toBeGreaterThanOrEqual(day)
})

onBothDatabases('a right code after waiting is accepted, once', async (stage) => {
  const server = await start(stage)
  await server.guessFor(6)

  stage.advance(30 * 60 * second)
  const code = server.right()
  const accepted = await server.answer(code, await server.signIn(), abroad)
  const again = await server.answer(code, await server.signIn(), abroad)

  expect([accepted.statusCode, again.statusCode]).toEqual([200, 422])
})

onBothDatabases('guesses from elsewhere do not keep the owner out of a known address', async (stage) => {
  const server = await start(stage)
  const thief = await server.signIn()
  for (let guess = 0; guess < 5; guess += 1) await server.answer(server.wrong(), thief, abroad)

  const elsewhere = await server.answer(server.right(), await server.signIn(), '192.0.2.2')
  const atHome = await server.answer(server.right(), await server.signIn(), home)

  expect([elsewhere.statusCode, atHome.statusCode]).toEqual([429, 200])
  expect(elsewhere.json().message).toBe('Too many wrong codes. Try again in 5 minutes, or use a backup code.')
})

onBothDatabases('a sign-in that lacks its second factor makes no address known', async (stage) => {
  const server = await start(stage)
  await server.post('/api/login', server.member, { 'x-forwarded-for': abroad })
  const thief = await server.signIn()
  for (let guess = 0; guess < 5; guess += 1) await server.answer(server.wrong(), thief, '192.0.2.9')

  expect((await server.answer(server.right(), thief, abroad)).statusCode).toBe(429)
})

onBothDatabases('five wrong codes after a right password send the owner one notice a day', async (stage) => {
  const server = await start(stage)
  const thief = await server.signIn()
  for (let guess = 0; guess < 4; guess += 1) await server.answer(server.wrong(), thief, abroad)
  const before = await server.notices()

  await server.answer(server.wrong(), thief, abroad)
  stage.advance(5 * 60 * second)
  await server.answer(server.wrong(), await server.signIn(), abroad)

  expect(before).toEqual([])
  expect(await server.notices()).toMatchObject([{ to: [{ address: server.member.email }] }])
})

onBothDatabases('a code for a challenge that is over or unknown does not count as a wrong one', async (stage) => {
  const server = await start(stage)
  const bearer = { ...(await server.signIn()), 'x-forwarded-for': abroad }
  const url = `/auth/v1/factors/${server.factorId}`
  const { id } = (await server.post(`${url}/challenge`, {}, bearer)).json()
  stage.advance(secondFactorLimits.challengeMs + second)
  const codes = []
  for (const challenge_id of [id, id, id, randomUUID(), randomUUID(), randomUUID()]) {
    const refused = await server.post(`${url}/verify`, { challenge_id, code: server.right() }, bearer)
    codes.push(refused.json().code)
  }

  const accepted = await server.answer(server.right(), bearer, abroad)

  expect(new Set(codes)).toEqual(new Set(['mfa_challenge_expired', 'mfa_factor_not_found']))
  expect(accepted.statusCode).toBe(200)
})
