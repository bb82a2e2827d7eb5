import { messageLimits } from '@sallyport/contract/limits'
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
import { expectQuickestAlike } from '../../testing/expect-alike.ts'

const minute = 60_000
const hour = 60 * minute
const signUpCall = '/auth/v1/signup'
const verifyCall = '/auth/v1/verify'
const passwordGrant = '/auth/v1/token?grant_type=password'

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccounts(stage, { confirmAddresses: true, confirmNumbers: true, ...settings })
  const codeOf = (answer: { json(): { code?: string } }) => answer.json().code
  const signIn = (email: string, password: string) => server.post(passwordGrant, { email, password }, datedForm)
  const verify = (body: object) => server.post(verifyCall, body, datedForm)
  const lastLetter = async () => (await server.letters()).at(-1) ?? expect.fail('no letter')
  /** The token of the link that was mailed last. */
  const lastToken = async () => {
    const parameters = parametersIn(await lastLetter())
    return parameters.get('token_hash') ?? parameters.get('token') ?? ''
  }
  return { ...server, codeOf, signIn, verify, lastLetter, lastToken }
}

onBothDatabases(
  'T047 a taken address is answered like a new one by the sign-up call, and its owner is told',
  async (stage) => {
    const server = await start(stage)
    const email = anEmail()
    const owner = aCredential()
    await server.post(signUpCall, { email, password: owner })
    await server.verify({ type: 'signup', token_hash: await server.lastToken() })
    stage.advance(minute)

    const taken = await server.post(signUpCall, { email, password: aCredential() }, datedForm)
    const letter = await server.lastLetter()
    const fresh = await server.post(signUpCall, { email: anEmail(), password: aCredential() }, datedForm)

    const shapeOf = (answer: typeof taken) => ({
      ...answer.json(),
      id: 'any',
      email: 'any',
      status: answer.statusCode,
      session: 'access_token' in answer.json(),
    })
    expect(shapeOf(taken)).toEqual(shapeOf(fresh))
    expect(letter.subject).toBe('You already have an account')
    expect(letter.to?.[0]?.address).toBe(email)
    expect((await server.signIn(email, owner)).statusCode).toBe(200)
  },
)

onBothDatabases('T054 an unconfirmed address is told apart only to somebody with the right secret', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  const password = aCredential()
  await server.post(signUpCall, { email, password })

  expect(server.codeOf(await server.signIn(email, aCredential()))).toBe('invalid_credentials')
  expect(server.codeOf(await server.signIn(email, password))).toBe('email_not_confirmed')
  const login = await server.post('/api/login', { email, password })
  expect([login.statusCode, login.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
})

onBothDatabases(
  'who registers an address first does not choose its password: the link that is opened does',
  async (stage) => {
    const server = await start(stage)
    const email = anEmail()
    const squatter = aCredential()
    const holder = aCredential()
    await server.post(signUpCall, { email, password: squatter })
    const squattersToken = await server.lastToken()
    stage.advance(minute)
    await server.post(signUpCall, { email, password: holder })

    const opened = await server.verify({ type: 'email', token_hash: await server.lastToken() })
    const late = await server.verify({ type: 'email', token_hash: squattersToken })

    expect(opened.statusCode).toBe(200)
    expect(server.codeOf(late)).toBe('otp_expired')
    expect((await server.signIn(email, holder)).statusCode).toBe(200)
    expect(server.codeOf(await server.signIn(email, squatter))).toBe('invalid_credentials')
  },
)

onBothDatabases(
  'a link that is sent once more sets the one password that was chosen, and none of several',
  async (stage) => {
    const server = await start(stage)
    const [once, twice] = [anEmail(), anEmail()]
    const password = aCredential()
    await server.post(signUpCall, { email: once, password })
    await server.post(signUpCall, { email: twice, password })
    stage.advance(minute)
    await server.post(signUpCall, { email: twice, password: aCredential() })
    stage.advance(minute)

    for (const email of [once, twice]) {
      await server.post('/auth/v1/resend', { type: 'signup', email })
      await server.verify({ type: 'signup', token_hash: await server.lastToken() })
    }

    expect((await server.signIn(once, password)).statusCode).toBe(200)
    expect(server.codeOf(await server.signIn(twice, password))).toBe('invalid_credentials')
  },
)

onBothDatabases(
  'T061 opening a link uses nothing up, and leads to our own page whatever it asks for',
  async (stage) => {
    const server = await start(stage)
    const email = anEmail()
    await server.post(`${signUpCall}?redirect_to=https://evil.test/`, { email, password: aCredential() })
    const token = await server.lastToken()

    const opened = []
    for (const method of ['GET', 'HEAD'] as const) {
      const url = `${verifyCall}?token=${token}&type=signup&redirect_to=https://evil.test/`
      opened.push(
        await server.app.inject({ method, url, headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } }),
      )
    }

    for (const { statusCode, headers } of opened) {
      expect(statusCode).toBe(303)
      expect(headers.location).toBe(`http://sallyport.test/auth/confirm#token_hash=${token}&type=signup`)
    }
    expect((await server.verify({ type: 'email', token_hash: token })).statusCode).toBe(200)
  },
)

onBothDatabases('T060 T051 letters lead to the configured address, whatever host a request names', async (stage) => {
  const server = await start(stage)
  const { email } = await confirmedMember(server)
  stage.advance(minute)
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'gopher' }

  await server.post('/auth/v1/recover?redirect_to=https://evil.test/x', { email }, headers)

  const letter = await server.lastLetter()
  const link = linkIn(letter)
  expect(link.origin).toBe('http://sallyport.test')
  expect(link.pathname).toBe('/set-password')
  expect(link.search).toBe('')
  expect(parametersIn(letter).get('type')).toBe('recovery')
  expect(parametersIn(letter).get('email')).toBe(email)
  expect(`${letter.text}${letter.html}`).not.toContain('evil')
})

onBothDatabases('T058 a recovery link is good for an hour and not for a moment longer', async (stage) => {
  const server = await start(stage)
  const { email } = await confirmedMember(server)
  stage.advance(minute)
  await server.post('/auth/v1/recover', { email })
  const first = await server.lastToken()
  stage.advance(messageLimits.recoveryLinkMs)
  const late = await server.verify({ type: 'recovery', token_hash: first })
  await server.post('/auth/v1/recover', { email })
  stage.advance(messageLimits.recoveryLinkMs - 1)

  const inTime = await server.verify({ type: 'recovery', token_hash: await server.lastToken() })

  expect(server.codeOf(late)).toBe('otp_expired')
  expect(inTime.statusCode).toBe(200)
})

onBothDatabases('T048 recovery answers an unknown address like a known one, in as much time', async (stage) => {
  const server = await start(stage)
  const answers = new Set<string>()
  const timeOf = async (email: string): Promise<number> => {
    const before = performance.now()
    const { statusCode, body } = await server.post('/auth/v1/recover', { email }, datedForm)
    const ms = performance.now() - before
    answers.add(`${statusCode} ${body}`)
    return ms
  }
  const known = async () => {
    const { email } = await confirmedMember(server)
    stage.advance(hour)
    return timeOf(email)
  }

  await expectQuickestAlike({ known, unknown: () => timeOf(anEmail()) }, (one, other) => Math.abs(one - other) < 50)

  expect([...answers]).toEqual(['200 {}'])
})

onBothDatabases('a second message within a minute is refused for known and unknown addresses alike', async (stage) => {
  const server = await start(stage)
  const { email } = await confirmedMember(server)
  stage.advance(minute)

  for (const address of [email, anEmail()]) {
    await server.post('/auth/v1/recover', { email: address })
    const soon = await server.post('/auth/v1/recover', { email: address }, datedForm)
    expect([soon.statusCode, server.codeOf(soon)]).toEqual([429, 'over_email_send_rate_limit'])
    expect(Number(soon.headers['retry-after'])).toBe(60)
  }
  stage.advance(minute)
  expect((await server.post('/auth/v1/recover', { email })).statusCode).toBe(200)
})

onBothDatabases('T058 more than three recovery mails an hour are not sent to one address', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  const statuses = []
  for (let time = 0; time < 4; time += 1) {
    statuses.push((await server.post('/auth/v1/recover', { email })).statusCode)
    stage.advance(minute)
  }

  expect(statuses).toEqual([200, 200, 200, 429])
})

onBothDatabases('five wrong codes use a message up, and its link stays good', async (stage) => {
  const server = await start(stage)
  const email = anEmail()
  await server.post(signUpCall, { email, password: aCredential() })
  const code = codeIn((await server.lastLetter()).text)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let guess = 0; guess < messageLimits.attemptsPerCode; guess += 1) {
    await server.verify({ type: 'signup', email, token: wrong })
  }

  const right = await server.verify({ type: 'signup', email, token: code })
  const byLink = await server.verify({ type: 'signup', token_hash: await server.lastToken() })

  expect(server.codeOf(right)).toBe('otp_expired')
  expect(byLink.statusCode).toBe(200)
})

onBothDatabases('ACC-03 a number is confirmed by the code of a text message', async (stage) => {
  const server = await start(stage)
  const phone = '+491701234567'
  const password = aCredential()
  const signedUp = await server.post(signUpCall, { phone, password }, datedForm)
  const early = await server.post(passwordGrant, { phone, password }, datedForm)
  const [message] = await server.texts()

  const verified = await server.verify({ type: 'sms', phone, token: codeIn(message?.split('\n\n')[1]) })
  const late = await server.post(passwordGrant, { phone, password }, datedForm)

  expect(signedUp.json().access_token).toBeUndefined()
  expect(server.codeOf(early)).toBe('phone_not_confirmed')
  expect(message).toContain(`To: ${phone}`)
  expect(verified.statusCode).toBe(200)
  expect(late.statusCode).toBe(200)
})

onBothDatabases('what a message carries must come back whole and alone', async (stage) => {
  const server = await start(stage)
  const odd = [
    { token_hash: 'x' },
    { type: 'email' },
    { type: 'email', token: '123456' },
    { type: 'email', token: '123456', email: anEmail(), phone: '+491701234567' },
    { type: 'email', token_hash: 'x', email: anEmail() },
    { type: 'barter', token_hash: 'x' },
  ]

  for (const body of odd) expect(server.codeOf(await server.verify(body))).toBe('validation_failed')
  expect(server.codeOf(await server.verify({ type: 'email', token_hash: 'x' }))).toBe('otp_expired')
})

onBothDatabases('foreign clients: a link requested with a challenge opens in that browser alone', async (stage) => {
  const server = await start(stage, { strict: false })
  const { email } = await confirmedMember(server)
  stage.advance(minute)
  const verifier = 'a'.repeat(64)
  const challenge = { code_challenge: verifier, code_challenge_method: 'plain' }
  await server.post('/auth/v1/otp?redirect_to=http://sallyport.test/files', { email, ...challenge })
  const { pathname, search } = linkIn(await server.lastLetter())
  const opened = await server.get(pathname + search)
  const page = new URL(opened.headers.location ?? '')
  const auth_code = page.searchParams.get('code')
  const exchange = (code_verifier: string) =>
    server.post('/auth/v1/token?grant_type=pkce', { auth_code, code_verifier }, datedForm)

  const elsewhere = await exchange('b'.repeat(64))
  const here = await exchange(verifier)
  const again = await exchange(verifier)

  expect([page.origin, page.pathname]).toEqual(['http://sallyport.test', '/files'])
  expect(server.codeOf(elsewhere)).toBe('bad_code_verifier')
  expect(here.json().access_token).toBeTruthy()
  expect(server.codeOf(again)).toBe('flow_state_not_found')
})

onBothDatabases('T044 the database holds no token and no code that was sent to anybody', async (stage) => {
  const server = await start(stage)
  await server.post(signUpCall, { email: anEmail(), password: aCredential() })
  const token = await server.lastToken()
  const code = codeIn((await server.lastLetter()).text)

  const rows = await stage.db.selectFrom('one_time_tokens').selectAll().execute()

  expect(rows).toHaveLength(1)
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows[0]?.code_hash).not.toContain(code)
})

async function confirmedMember(server: Awaited<ReturnType<typeof start>>) {
  const email = anEmail()
  const password = aCredential()
  await server.provider.createUser({ email, credential: password, confirmed: true })
  return { email, password }
}
