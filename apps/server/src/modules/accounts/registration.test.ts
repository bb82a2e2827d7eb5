import { expect, test } from 'vitest'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const verifyEmailMessage =
  'Your account has been created. Please check your email and click the verification link before logging in.'

onAnyDatabase(
  'ACC-07 T054 registration sends a verification link, and login fails until it is opened',
  async (stage) => {
    const server = await startAccountServer(stage, { confirmEmails: true })
    const email = randomEmail()
    const password = randomCredential()

    const answer = await server.post('/api/register', { email: email.toUpperCase(), password })
    const early = await server.post('/api/login', { email, password })
    const guessed = await server.post('/api/login', { email, password: randomCredential() })

    expect(answer.json()).toEqual({
      success: true,
      user: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), email },
      message: verifyEmailMessage,
    })
    expect([early.statusCode, early.json()]).toEqual([
      403,
      {
        success: false,
        code: 'EMAIL_NOT_VERIFIED',
        error: 'Please verify your email address before logging in. Check your email for the verification link.',
      },
    ])
    expect([guessed.statusCode, guessed.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    const [message, ...others] = await server.emails()
    expect(others).toEqual([])
    expect(message).toMatchObject({ to: [{ address: email }], subject: 'Please verify your email address' })
    const link = /http:\/\/sallyport\.test\/auth\/confirm#token_hash=([\w-]{43})&type=email\n/
    const [, token_hash] = link.exec(message?.text ?? '') ?? []
    const confirmed = await server.post('/auth/v1/verify', { type: 'email', token_hash })
    const late = await server.post('/api/login', { email, password })
    expect([confirmed.statusCode, late.statusCode]).toEqual([200, 200])
  },
)

onAnyDatabase(
  'T047 registering an existing address gets the same response as a new one, and its owner gets an email',
  async (stage) => {
    const server = await startAccountServer(stage, { confirmEmails: true })
    const email = randomEmail()
    const password = randomCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })

    const taken = await server.post('/api/register', { email, password: randomCredential() })
    const free = await server.post('/api/register', { email: randomEmail(), password: randomCredential() })

    expect(taken.statusCode).toBe(free.statusCode)
    expect({ ...taken.json(), user: null }).toEqual({ ...free.json(), user: null })
    expect(Object.keys(taken.json().user)).toEqual(Object.keys(free.json().user))
    const emails = await server.emails()
    const toOwner = emails.filter(({ to }) => to?.[0]?.address === email)
    expect(emails).toHaveLength(2)
    expect(toOwner).toMatchObject([{ subject: 'You already have an account' }])
    expect(toOwner[0]?.text).not.toContain('token')
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  },
)

onAnyDatabase('5 registrations with one address send 3 emails', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const email = randomEmail()

  const answers = []
  for (let round = 0; round < 5; round += 1) {
    answers.push(await server.post('/api/register', { email, password: randomCredential() }))
  }

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await server.emails()).toHaveLength(3)
})

onAnyDatabase('T060 email links ignore the Host and X-Forwarded-Host headers', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

  await server.post('/api/register', { email: randomEmail(), password: randomCredential() }, foreign)

  const [message] = await server.emails()
  expect(message?.text).toContain('http://sallyport.test/auth/confirm')
  expect(`${message?.text}${message?.html}`).not.toContain('evil')
})

onAnyDatabase(
  'ACC-07 without verification a second registration of an address sends an email to its owner',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email } = await server.createMember()

    await server.post('/api/register', { email, password: randomCredential() })

    expect(await server.emails()).toMatchObject([{ to: [{ address: email }], subject: 'You already have an account' }])
  },
)

const terms = { type: 'nonprofit', storageBytes: 1024 ** 3, days: 30, seats: 10, uses: 5 } as const

onAnyDatabase('REGISTRATION=invite accepts only invitations, closed accepts nobody', async (stage) => {
  const invite = await startAccountServer(stage, { environment: { REGISTRATION: 'invite' } })
  const closed = await startAccountServer(stage, { environment: { REGISTRATION: 'closed' } })
  const taken = randomEmail()
  await invite.provider.createUser({ email: taken, credential: randomCredential(), confirmed: true })
  const magicToken = await invite.offers.createLink(terms, null)
  const body = (email = randomEmail()) => ({ email, password: randomCredential() })
  const withLink = '/api/register-with-magic-link'

  const refused = [
    await invite.post('/api/register', body()),
    await invite.post('/api/register', body(taken)),
    await closed.post('/api/register', body()),
    await closed.post(withLink, { ...body(), magicToken }),
  ]
  const invited = await invite.post(withLink, { ...body(), magicToken })
  const ownSignUp = await invite.post('/auth/v1/signup', body())

  expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
    refused.map(() => [403, 'REGISTRATION_CLOSED']),
  )
  expect([invited.statusCode, ownSignUp.statusCode]).toEqual([200, 422])
})

onAnyDatabase('REGISTRATION_DOMAINS accepts only addresses of these domains', async (stage) => {
  const environment = { REGISTRATION_DOMAINS: 'Example.org, example.com' }
  const server = await startAccountServer(stage, { environment })
  const register = (path: string, email: string) => server.post(path, { email, password: randomCredential() })
  const answers = []
  for (const domain of ['EXAMPLE.org', 'example.com', 'sub.example.org', 'notexample.org']) {
    answers.push(await register('/api/register', `a@${domain}`))
  }
  const ownSignUp = await register('/auth/v1/signup', 'b@example.net')

  expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
    [200, undefined],
    [200, undefined],
    [403, 'EMAIL_DOMAIN_NOT_ALLOWED'],
    [403, 'EMAIL_DOMAIN_NOT_ALLOWED'],
  ])
  expect(ownSignUp.statusCode).toBe(403)
})

onAnyDatabase('an address of ADMIN_EMAILS can register only while there are no users', async (stage) => {
  const adminEmails = ['First@example.org', 'second@example.org']
  const environment = { REGISTRATION: 'closed', REGISTRATION_DOMAINS: 'example.com' }
  const server = await startAccountServer(stage, { adminEmails, environment })
  const register = (email: string) => server.post('/api/register', { email, password: randomCredential() })

  const statuses = []
  for (const email of ['other@example.org', 'first@example.org', 'second@example.org']) {
    statuses.push((await register(email)).statusCode)
  }

  expect(statuses).toEqual([403, 200, 403])
})

test('the configuration says who can register, and that everyone can until the first admin has an account', async () => {
  const email = randomEmail()
  const server = await startWholeServer({ REGISTRATION: 'closed', ADMIN_EMAILS: email })
  const shown = async () => {
    const config = (await (await fetch(`${server.url}/api/config`)).json()) as { registration: string }
    return config.registration
  }
  const before = await shown()
  await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: randomCredential() }),
  })

  expect([before, await shown()]).toEqual(['open', 'closed'])
  await server.stop()
  for (const REGISTRATION of ['open', 'invite', 'closed']) {
    const other = await startWholeServer({ REGISTRATION })
    expect(await (await fetch(`${other.url}/api/config`)).json()).toMatchObject({ registration: REGISTRATION })
    await other.stop()
  }
})
