import { randomUUID } from 'node:crypto'
import { mfaLimits } from '@sallyport/contract/limits'
import { guessingLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { appCode } from '../../../testing/provider-suite.ts'
import { apiVersionHeader, startAccountServer } from '../../../testing/servers/account-server.ts'

const second = 1000
const day = 24 * 60 * 60_000
const step = mfaLimits.codeSeconds * second
const subject = 'Many wrong codes for your account'
const knownAddress = '198.51.100.7'
const unknownAddress = '192.0.2.1'

async function start(stage: Stage) {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  const signIn = async () => {
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}`, ...apiVersionHeader }
  }
  const enrolled = await server.post(
    '/auth/v1/factors',
    { factor_type: 'totp' },
    { ...member.bearer, ...apiVersionHeader },
  )
  const { id, totp } = enrolled.json()

  async function verifyCode(code: string, bearer: Record<string, string>, block: string) {
    const headers = { ...bearer, 'x-forwarded-for': block }
    const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, headers)
    return server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.json().id, code }, headers)
  }
  const validCode = () => appCode(totp.secret, stage.now())
  const wrongCode = () => (validCode() === '000000' ? '000001' : '000000')
  await verifyCode(validCode(), { ...member.bearer, ...apiVersionHeader }, knownAddress)
  stage.advance(step)

  /** Enters wrong codes, waiting for `Retry-After` where the server demands it. Returns the waits in seconds. */
  async function guessFor(count: number): Promise<number[]> {
    let bearer = await signIn()
    const waits: number[] = []
    while (waits.length < count) {
      const guessed = await verifyCode(wrongCode(), bearer, unknownAddress)
      if (guessed.statusCode === 422) {
        waits.push(0)
        continue
      }
      const wait = Number(guessed.headers['retry-after'])
      stage.advance(wait * second)
      bearer = await signIn()
      expect((await verifyCode(wrongCode(), bearer, unknownAddress)).statusCode).toBe(422)
      waits.push(wait)
    }
    return waits
  }
  const notices = async () => (await server.emails()).filter((mail) => mail.subject === subject)
  return { ...server, factorId: id as string, member, signIn, verifyCode, validCode, wrongCode, guessFor, notices }
}

onBothDatabases('T075 the wait after wrong MFA codes grows, up to one day', async (stage) => {
  const server = await start(stage)
  const maxAttempts = guessingLimits.mfaTiers.at(-1)?.points ?? 0
  const startedAt = stage.now()

  const waits = (await server.guessFor(maxAttempts + 1)).filter((wait) => wait > 0)

  expect(waits.toSorted((one, other) => one - other)).toEqual(waits)
  expect(waits[0]).toBeLessThanOrEqual(5 * 60)
  expect(waits.at(-1)).toBeGreaterThan(8 * 60 * 60)
  // The longest window began with the code that enrolled the app, one time step earlier.
  expect(stage.now() + step - startedAt).toBeGreaterThanOrEqual(day)
})

onBothDatabases('a valid code is accepted once after the wait', async (stage) => {
  const server = await start(stage)
  await server.guessFor(6)

  stage.advance(30 * 60 * second)
  const code = server.validCode()
  const accepted = await server.verifyCode(code, await server.signIn(), unknownAddress)
  const again = await server.verifyCode(code, await server.signIn(), unknownAddress)

  expect([accepted.statusCode, again.statusCode]).toEqual([200, 422])
})

onBothDatabases('guesses from other addresses do not lock out the owner at a known address', async (stage) => {
  const server = await start(stage)
  const attacker = await server.signIn()
  for (let guess = 0; guess < 5; guess += 1) await server.verifyCode(server.wrongCode(), attacker, unknownAddress)

  const fromUnknown = await server.verifyCode(server.validCode(), await server.signIn(), '192.0.2.2')
  const fromKnown = await server.verifyCode(server.validCode(), await server.signIn(), knownAddress)

  expect([fromUnknown.statusCode, fromKnown.statusCode]).toEqual([429, 200])
  expect(fromUnknown.json().message).toBe('Too many wrong codes. Try again in 5 minutes, or use a backup code.')
})

onBothDatabases('an auth session without its second factor does not make its address known', async (stage) => {
  const server = await start(stage)
  await server.post('/api/login', server.member, { 'x-forwarded-for': unknownAddress })
  const attacker = await server.signIn()
  for (let guess = 0; guess < 5; guess += 1) await server.verifyCode(server.wrongCode(), attacker, '192.0.2.9')

  expect((await server.verifyCode(server.validCode(), attacker, unknownAddress)).statusCode).toBe(429)
})

onBothDatabases('5 wrong codes after the right password send the owner one notice per day', async (stage) => {
  const server = await start(stage)
  const attacker = await server.signIn()
  for (let guess = 0; guess < 4; guess += 1) await server.verifyCode(server.wrongCode(), attacker, unknownAddress)
  const before = await server.notices()

  await server.verifyCode(server.wrongCode(), attacker, unknownAddress)
  stage.advance(5 * 60 * second)
  await server.verifyCode(server.wrongCode(), await server.signIn(), unknownAddress)

  expect(before).toEqual([])
  expect(await server.notices()).toMatchObject([{ to: [{ address: server.member.email }] }])
})

onBothDatabases('a code for an expired or unknown challenge does not count as a wrong code', async (stage) => {
  const server = await start(stage)
  const bearer = { ...(await server.signIn()), 'x-forwarded-for': unknownAddress }
  const url = `/auth/v1/factors/${server.factorId}`
  const { id } = (await server.post(`${url}/challenge`, {}, bearer)).json()
  stage.advance(mfaLimits.challengeMs + second)
  const codes = []
  for (const challenge_id of [id, id, id, randomUUID(), randomUUID(), randomUUID()]) {
    const refused = await server.post(`${url}/verify`, { challenge_id, code: server.validCode() }, bearer)
    codes.push(refused.json().code)
  }

  const accepted = await server.verifyCode(server.validCode(), bearer, unknownAddress)

  expect(new Set(codes)).toEqual(new Set(['mfa_challenge_expired', 'mfa_factor_not_found']))
  expect(accepted.statusCode).toBe(200)
})
