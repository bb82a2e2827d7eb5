import { messageLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  codeIn,
  linkIn,
  parametersIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const minute = 60_000
const hour = 60 * minute
const signUpPath = '/auth/v1/signup'
const verifyPath = '/auth/v1/verify'
const passwordGrant = '/auth/v1/token?grant_type=password'

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccountServer(stage, { confirmEmails: true, confirmPhones: true, ...settings })
  const codeOf = (response: { json(): { code?: string } }) => response.json().code
  const signIn = (email: string, password: string) => server.post(passwordGrant, { email, password }, apiVersionHeader)
  const verify = (body: object) => server.post(verifyPath, body, apiVersionHeader)
  const lastMail = async () => (await server.emails()).at(-1) ?? expect.fail('no email')
  /** Returns the token of the latest emailed link. */
  const lastToken = async () => {
    const parameters = parametersIn(await lastMail())
    return parameters.get('token_hash') ?? parameters.get('token') ?? ''
  }
  return { ...server, codeOf, signIn, verify, lastMail, lastToken }
}

onAnyDatabase(
  'T047 signing up with a taken address gets the same response as a new one, and its owner is notified',
  async (stage) => {
    const server = await start(stage)
    const email = randomEmail()
    const owner = randomCredential()
    await server.post(signUpPath, { email, password: owner })
    await server.verify({ type: 'signup', token_hash: await server.lastToken() })
    stage.advance(minute)

    const taken = await server.post(signUpPath, { email, password: randomCredential() }, apiVersionHeader)
    const mail = await server.lastMail()
    const free = await server.post(signUpPath, { email: randomEmail(), password: randomCredential() }, apiVersionHeader)

    const shapeOf = (response: typeof taken) => ({
      ...response.json(),
      id: 'any',
      email: 'any',
      status: response.statusCode,
      session: 'access_token' in response.json(),
    })
    expect(shapeOf(taken)).toEqual(shapeOf(free))
    expect(mail.subject).toBe('You already have an account')
    expect(mail.to?.[0]?.address).toBe(email)
    expect((await server.signIn(email, owner)).statusCode).toBe(200)
  },
)

onAnyDatabase('PLN-07 what a sign-up said about an unconfirmed address is replaced by the next one', async (stage) => {
  const server = await start(stage)
  const [email, password] = [randomEmail(), randomCredential()]
  const data = (name: string) => ({ organization_name: name, signup_type: 'business_pending' })
  await server.post(signUpPath, { email, password: randomCredential(), data: data('Planted') })
  stage.advance(minute)
  await server.post(signUpPath, { email, password, data: data('Blue Whale') })
  const { user } = (await server.verify({ type: 'signup', token_hash: await server.lastToken() })).json()
  stage.advance(minute)
  await server.post(signUpPath, { email, password: randomCredential(), data: data('Planted') })

  const signedIn = (await server.signIn(email, password)).json()
  expect([user.user_metadata, signedIn.user.user_metadata]).toEqual([
    expect.objectContaining(data('Blue Whale')),
    expect.objectContaining(data('Blue Whale')),
  ])
})

onAnyDatabase('T054 an unconfirmed address is revealed only with the right secret', async (stage) => {
  const server = await start(stage)
  const email = randomEmail()
  const password = randomCredential()
  await server.post(signUpPath, { email, password })

  expect(server.codeOf(await server.signIn(email, randomCredential()))).toBe('invalid_credentials')
  expect(server.codeOf(await server.signIn(email, password))).toBe('email_not_confirmed')
  const login = await server.post('/api/login', { email, password })
  expect([login.statusCode, login.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
})

onAnyDatabase(
  'the password of an address is set by the link that is opened, not by the first registration',
  async (stage) => {
    const server = await start(stage)
    const email = randomEmail()
    const squatterPassword = randomCredential()
    const ownerPassword = randomCredential()
    await server.post(signUpPath, { email, password: squatterPassword })
    const squatterToken = await server.lastToken()
    stage.advance(minute)
    await server.post(signUpPath, { email, password: ownerPassword })

    const opened = await server.verify({ type: 'email', token_hash: await server.lastToken() })
    const late = await server.verify({ type: 'email', token_hash: squatterToken })

    expect(opened.statusCode).toBe(200)
    expect(server.codeOf(late)).toBe('otp_expired')
    expect((await server.signIn(email, ownerPassword)).statusCode).toBe(200)
    expect(server.codeOf(await server.signIn(email, squatterPassword))).toBe('invalid_credentials')
  },
)

onAnyDatabase('a resent link sets the password if only one was chosen, and none of several', async (stage) => {
  const server = await start(stage)
  const [once, twice] = [randomEmail(), randomEmail()]
  const password = randomCredential()
  await server.post(signUpPath, { email: once, password })
  await server.post(signUpPath, { email: twice, password })
  stage.advance(minute)
  await server.post(signUpPath, { email: twice, password: randomCredential() })
  stage.advance(minute)

  for (const email of [once, twice]) {
    await server.post('/auth/v1/resend', { type: 'signup', email })
    await server.verify({ type: 'signup', token_hash: await server.lastToken() })
  }

  expect((await server.signIn(once, password)).statusCode).toBe(200)
  expect(server.codeOf(await server.signIn(twice, password))).toBe('invalid_credentials')
})

onAnyDatabase(
  'T061 opening a link consumes nothing and redirects to our own page, whatever redirect it requests',
  async (stage) => {
    const server = await start(stage)
    const email = randomEmail()
    await server.post(`${signUpPath}?redirect_to=https://evil.test/`, { email, password: randomCredential() })
    const token = await server.lastToken()

    const opened = []
    for (const method of ['GET', 'HEAD'] as const) {
      const url = `${verifyPath}?token=${token}&type=signup&redirect_to=https://evil.test/`
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

onAnyDatabase(
  'T060 T051 links in emails lead to the configured URL, whatever Host header a request has',
  async (stage) => {
    const server = await start(stage)
    const { email } = await createConfirmedUser(server)
    stage.advance(minute)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'gopher' }

    await server.post('/auth/v1/recover?redirect_to=https://evil.test/x', { email }, headers)

    const mail = await server.lastMail()
    const link = linkIn(mail)
    expect(link.origin).toBe('http://sallyport.test')
    expect(link.pathname).toBe('/set-password')
    expect(link.search).toBe('')
    expect(parametersIn(mail).get('type')).toBe('recovery')
    expect(parametersIn(mail).get('email')).toBe(email)
    expect(`${mail.text}${mail.html}`).not.toContain('evil')
  },
)

onAnyDatabase('T058 a recovery link is valid for exactly 1 hour', async (stage) => {
  const server = await start(stage)
  const { email } = await createConfirmedUser(server)
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

onAnyDatabase('T048 recovery gives an unknown address the same response as a known one', async (stage) => {
  const server = await start(stage)
  const { email } = await createConfirmedUser(server)
  stage.advance(hour)
  const responseTo = async (address: string): Promise<string> => {
    const { statusCode, body } = await server.post('/auth/v1/recover', { email: address }, apiVersionHeader)
    return `${statusCode} ${body}`
  }

  expect([await responseTo(email), await responseTo(randomEmail())]).toEqual(['200 {}', '200 {}'])
})

onAnyDatabase('a second message within 1 minute is rejected for known and unknown addresses alike', async (stage) => {
  const server = await start(stage)
  const { email } = await createConfirmedUser(server)
  stage.advance(minute)

  for (const address of [email, randomEmail()]) {
    await server.post('/auth/v1/recover', { email: address })
    const soon = await server.post('/auth/v1/recover', { email: address }, apiVersionHeader)
    expect([soon.statusCode, server.codeOf(soon)]).toEqual([429, 'over_email_send_rate_limit'])
    expect(Number(soon.headers['retry-after'])).toBe(60)
  }
  stage.advance(minute)
  expect((await server.post('/auth/v1/recover', { email })).statusCode).toBe(200)
})

onAnyDatabase('T058 one requester gets at most 3 recovery emails per hour for an address', async (stage) => {
  const server = await start(stage)
  const email = randomEmail()
  const statuses = []
  for (let time = 0; time < 4; time += 1) {
    statuses.push((await server.post('/auth/v1/recover', { email })).statusCode)
    stage.advance(minute)
  }

  expect(statuses).toEqual([200, 200, 200, 429])
})

onAnyDatabase('after 5 wrong codes the code of a message is rejected, and its link stays valid', async (stage) => {
  const server = await start(stage)
  const email = randomEmail()
  await server.post(signUpPath, { email, password: randomCredential() })
  const code = codeIn((await server.lastMail()).text)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let guess = 0; guess < messageLimits.attemptsPerCode; guess += 1) {
    await server.verify({ type: 'signup', email, token: wrong })
  }

  const right = await server.verify({ type: 'signup', email, token: code })
  const byLink = await server.verify({ type: 'signup', token_hash: await server.lastToken() })

  expect(server.codeOf(right)).toBe('otp_expired')
  expect(byLink.statusCode).toBe(200)
})

onAnyDatabase('ACC-03 a phone number is confirmed by the code of a text message', async (stage) => {
  const server = await start(stage)
  const phone = '+491701234567'
  const password = randomCredential()
  const signedUp = await server.post(signUpPath, { phone, password }, apiVersionHeader)
  const early = await server.post(passwordGrant, { phone, password }, apiVersionHeader)
  const [message] = await server.textMessages()

  const verified = await server.verify({ type: 'sms', phone, token: codeIn(message?.split('\n\n')[1]) })
  const late = await server.post(passwordGrant, { phone, password }, apiVersionHeader)

  expect(signedUp.json().access_token).toBeUndefined()
  expect(server.codeOf(early)).toBe('phone_not_confirmed')
  expect(message).toContain(`To: ${phone}`)
  expect(verified.statusCode).toBe(200)
  expect(late.statusCode).toBe(200)
})

onAnyDatabase('a verification needs either a token hash alone or one identifier with its code', async (stage) => {
  const server = await start(stage)
  const invalidBodies = [
    { token_hash: 'x' },
    { type: 'email' },
    { type: 'email', token: '123456' },
    { type: 'email', token: '123456', email: randomEmail(), phone: '+491701234567' },
    { type: 'email', token_hash: 'x', email: randomEmail() },
    { type: 'barter', token_hash: 'x' },
  ]

  for (const body of invalidBodies) expect(server.codeOf(await server.verify(body))).toBe('validation_failed')
  expect(server.codeOf(await server.verify({ type: 'email', token_hash: 'x' }))).toBe('otp_expired')
})

onAnyDatabase(
  'third-party clients: a link requested with a PKCE challenge can be exchanged only with its verifier',
  async (stage) => {
    const server = await start(stage, { strict: false })
    const { email } = await createConfirmedUser(server)
    stage.advance(minute)
    const verifier = 'a'.repeat(64)
    const challenge = { code_challenge: verifier, code_challenge_method: 'plain' }
    await server.post('/auth/v1/otp?redirect_to=http://sallyport.test/files', { email, ...challenge })
    const { pathname, search } = linkIn(await server.lastMail())
    const opened = await server.get(pathname + search)
    const page = new URL(opened.headers.location ?? '')
    const auth_code = page.searchParams.get('code')
    const exchange = (code_verifier: string) =>
      server.post('/auth/v1/token?grant_type=pkce', { auth_code, code_verifier }, apiVersionHeader)

    const elsewhere = await exchange('b'.repeat(64))
    const here = await exchange(verifier)
    const again = await exchange(verifier)

    expect([page.origin, page.pathname]).toEqual(['http://sallyport.test', '/files'])
    expect(server.codeOf(elsewhere)).toBe('bad_code_verifier')
    expect(here.json().access_token).toBeTruthy()
    expect(server.codeOf(again)).toBe('flow_state_not_found')
  },
)

onAnyDatabase(
  'accounts D9 T061 the status of a link is unused until it is used, however often it is read, and then used',
  async (stage) => {
    const server = await start(stage)
    const email = randomEmail()
    const password = randomCredential()
    const statusOf = async (token: string): Promise<string> =>
      (await server.post('/api/emailed-link-status', { token })).json().status
    await server.post(signUpPath, { email, password })
    const confirmation = await server.lastToken()
    const statuses = [await statusOf(confirmation), await statusOf(confirmation)]

    const confirmed = await server.verify({ type: 'email', token_hash: confirmation })
    const again = await server.verify({ type: 'email', token_hash: confirmation })
    statuses.push(await statusOf(confirmation))
    stage.advance(minute)
    await server.post('/auth/v1/recover', { email })
    const recovery = await server.lastToken()
    stage.advance(minute)
    await server.post('/auth/v1/recover', { email })
    const recovered = await server.verify({ type: 'recovery', token_hash: await server.lastToken() })
    await server.provider.updateUser(recovered.json().user.id, { credential: password })
    statuses.push(await statusOf(await server.lastToken()))
    stage.advance(hour)

    expect([confirmed.statusCode, server.codeOf(again)]).toEqual([200, 'otp_expired'])
    expect(statuses).toEqual(['unused', 'unused', 'used', 'used'])
    expect([await statusOf(confirmation), await statusOf(recovery), await statusOf('x'.repeat(43))]).toEqual([
      'used',
      'expired',
      'expired',
    ])
    const rows = await stage.db.selectFrom('one_time_tokens').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(email)
    expect((await server.signIn(email, password)).statusCode).toBe(200)
  },
)

onAnyDatabase('accounts D9 of concurrent uses of one link one succeeds', async (stage) => {
  const server = await start(stage)
  await server.post(signUpPath, { email: randomEmail(), password: randomCredential() })
  const token_hash = await server.lastToken()

  const uses = await Promise.all(Array.from({ length: 5 }, () => server.verify({ type: 'email', token_hash })))

  expect(uses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403, 403, 403, 403])
})

onAnyDatabase('T044 the database contains no token and no code of a message', async (stage) => {
  const server = await start(stage)
  await server.post(signUpPath, { email: randomEmail(), password: randomCredential() })
  const token = await server.lastToken()
  const code = codeIn((await server.lastMail()).text)

  const rows = await stage.db.selectFrom('one_time_tokens').selectAll().execute()

  expect(rows).toHaveLength(1)
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows[0]?.code_hash).not.toContain(code)
})

async function createConfirmedUser(server: Awaited<ReturnType<typeof start>>) {
  const email = randomEmail()
  const password = randomCredential()
  await server.provider.createUser({ email, credential: password, confirmed: true })
  return { email, password }
}
