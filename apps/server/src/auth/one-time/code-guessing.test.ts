import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import {
  aCredential,
  anEmail,
  codeIn,
  datedForm,
  linkIn,
  parametersIn,
  startAccounts,
} from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'

const minute = 60_000
const day = 24 * 60 * minute
const { points: failuresPerDay } = rateLimits.oneTimeCodeFailuresPerAccount

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccounts(stage, {
    confirmAddresses: true,
    confirmNumbers: true,
    evenAnswerMs: 0,
    ...settings,
  })
  const from = (host: number) => ({ ...datedForm, 'x-forwarded-for': `198.51.100.${host}` })
  const verify = (body: object, host = 1) => server.post('/auth/v1/verify', body, from(host))
  const codeOf = (answer: { json(): { code?: string } }) => answer.json().code

  async function aPerson() {
    const email = anEmail()
    await server.provider.createUser({ email, credential: aCredential(), confirmed: true })
    return email
  }

  /** Requests a recovery mail and returns what it carries. */
  async function recoveryMail(email: string, host: number) {
    expect((await server.post('/auth/v1/recover', { email }, from(host))).statusCode).toBe(200)
    const letter = (await server.letters()).at(-1) ?? expect.fail('no mail')
    return { code: codeIn(letter.text), token_hash: parametersIn(letter).get('token') }
  }

  /** Wrong recovery codes, five for each mail, each from another address. */
  async function guessWrong(email: string, count: number): Promise<string[]> {
    const outcomes: string[] = []
    for (let guess = 0; guess < count; guess += 1) {
      if (guess % messageLimits.attemptsPerCode === 0) await recoveryMail(email, 10 + guess)
      const letter = (await server.letters()).at(-1)
      const token = codeIn(letter?.text) === '000000' ? '000001' : '000000'
      outcomes.push(codeOf(await verify({ type: 'recovery', email, token }, 100 + guess)) ?? '')
    }
    return outcomes
  }

  return { ...server, from, verify, codeOf, aPerson, recoveryMail, guessWrong }
}

onBothDatabases('a strict server mails no sign-in codes, to known and unknown recipients alike', async (stage) => {
  const server = await start(stage)
  const email = await server.aPerson()

  for (const named of [{ email }, { email: anEmail() }, { phone: '+491701234567' }]) {
    const refused = await server.post('/auth/v1/otp', named, datedForm)
    expect([refused.statusCode, server.codeOf(refused)]).toEqual([422, 'otp_disabled'])
  }
  expect(await server.letters()).toEqual([])
  expect(await server.texts()).toEqual([])
})

onBothDatabases('the link of a magic link made by the operator signs in, and its code does not', async (stage) => {
  const server = await start(stage)
  const email = await server.aPerson()
  const headers = { authorization: `Bearer ${await server.provider.issueServiceKey(3600)}` }
  const made = await server.post('/auth/v1/admin/generate_link', { type: 'magiclink', email }, headers)
  const { email_otp: token, hashed_token: token_hash } = made.json()

  for (const type of ['magiclink', 'email']) {
    const byCode = await server.verify({ type, email, token })
    expect([byCode.statusCode, server.codeOf(byCode)]).toEqual([403, 'otp_expired'])
  }
  const byLink = await server.verify({ type: 'magiclink', token_hash })

  expect(byLink.json().access_token).toBeTruthy()
})

onBothDatabases('an invitation mailed for the operator opens by its link', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  const headers = { authorization: `Bearer ${await server.provider.issueServiceKey(3600)}` }
  await server.post('/auth/v1/invite', { email }, headers)
  const [letter = expect.fail('no mail')] = await server.letters()

  const token_hash = parametersIn(letter).get('token_hash')

  expect(linkIn(letter).search).toBe('')
  expect((await server.verify({ type: 'invite', token_hash })).json().access_token).toBeTruthy()
})

onBothDatabases('foreign clients: without strict mode a mailed code signs in', async (stage) => {
  const server = await start(stage, { strict: false })
  const email = await server.aPerson()
  await server.post('/auth/v1/otp', { email }, datedForm)
  const token = codeIn((await server.letters()).at(-1)?.text)

  expect((await server.verify({ type: 'email', email, token })).json().access_token).toBeTruthy()
})

onBothDatabases('codes that confirm an address or reset a password are accepted', async (stage) => {
  const server = await start(stage)
  const [email, other] = [anEmail(), await server.aPerson()]
  await server.post('/auth/v1/signup', { email, password: aCredential() }, datedForm)
  const token = codeIn((await server.letters()).at(-1)?.text)

  const confirmed = await server.verify({ type: 'signup', email, token })
  const { code } = await server.recoveryMail(other, 1)
  const recovered = await server.verify({ type: 'recovery', email: other, token: code })

  expect([confirmed.statusCode, recovered.statusCode]).toEqual([200, 200])
})

onBothDatabases(
  'after 20 wrong codes a day, whatever their kind and origin, only the mailed link opens the account',
  async (stage) => {
    const server = await start(stage)
    const email = await server.aPerson()

    const outcomes = await server.guessWrong(email, failuresPerDay)
    stage.advance(minute)
    const { code, token_hash } = await server.recoveryMail(email, 250)
    const byCode = await server.verify({ type: 'recovery', email, token: code }, 250)
    const byLink = await server.verify({ type: 'recovery', token_hash }, 250)
    const notices = (await server.letters()).filter(({ subject }) => subject === 'Many wrong codes from our emails')
    stage.advance(day)
    const next = await server.recoveryMail(email, 251)
    const nextDay = await server.verify({ type: 'recovery', email, token: next.code }, 251)

    expect(new Set(outcomes)).toEqual(new Set(['otp_expired']))
    expect([byCode.statusCode, server.codeOf(byCode)]).toEqual([403, 'otp_expired'])
    expect(byLink.json().access_token).toBeTruthy()
    expect(notices).toMatchObject([{ to: [{ address: email }] }])
    expect(nextDay.statusCode).toBe(200)
  },
)

onBothDatabases('a right code does not count as a failure, and other accounts are unaffected', async (stage) => {
  const server = await start(stage)
  const [email, other] = [await server.aPerson(), await server.aPerson()]
  await server.guessWrong(email, failuresPerDay - 1)

  stage.advance(minute)
  const { code } = await server.recoveryMail(email, 250)
  const last = await server.verify({ type: 'recovery', email, token: code }, 250)
  await server.guessWrong(email, 1)
  const { code: others } = await server.recoveryMail(other, 251)
  const unaffected = await server.verify({ type: 'recovery', email: other, token: others }, 251)

  expect(last.statusCode).toBe(200)
  expect(unaffected.statusCode).toBe(200)
})

onBothDatabases(
  'wrong mailed codes of strangers do not use up the owner’s code in place of the password',
  async (stage) => {
    const server = await start(stage)
    const email = anEmail()
    const password = aCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    await server.guessWrong(email, failuresPerDay)
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}`, ...datedForm }
    await server.get('/auth/v1/reauthenticate', bearer)
    const nonce = codeIn((await server.letters()).at(-1)?.text)

    const changed = await server.put('/auth/v1/user', { password: aCredential(), nonce }, bearer)

    expect(changed.statusCode).toBe(200)
  },
)

onBothDatabases(
  'wrong texted codes count for the network that enters them, and others still confirm',
  async (stage) => {
    const server = await start(stage)
    const phone = '+491701234567'
    await server.post('/auth/v1/signup', { phone, password: aCredential() }, server.from(1))
    const right = async () => codeIn((await server.texts()).at(-1)?.split('\n\n')[1])
    const verifyFrom = async (host: number, token: string) =>
      (await server.verify({ type: 'sms', phone, token }, host)).statusCode
    const resendFrom = async (host: number) =>
      expect((await server.post('/auth/v1/resend', { type: 'sms', phone }, server.from(host))).statusCode).toBe(200)
    for (let guess = 0; guess < failuresPerDay; guess += 1) {
      if (guess > 0 && guess % messageLimits.attemptsPerCode === 0) await resendFrom(10 + guess)
      expect(await verifyFrom(66, (await right()) === '000000' ? '000001' : '000000')).toBe(403)
    }
    await resendFrom(100)

    const strangers = await verifyFrom(66, await right())
    const owners = await verifyFrom(1, await right())

    expect([strangers, owners]).toEqual([403, 200])
  },
)
