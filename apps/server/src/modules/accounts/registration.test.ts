import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'

const verifyEmailMessage =
  'Your account has been created. Please check your email and click the verification link before logging in.'

onBothDatabases(
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

onBothDatabases(
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

onBothDatabases('5 registrations with one address send 3 emails', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const email = randomEmail()

  const answers = []
  for (let round = 0; round < 5; round += 1) {
    answers.push(await server.post('/api/register', { email, password: randomCredential() }))
  }

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await server.emails()).toHaveLength(3)
})

onBothDatabases('T060 email links ignore the Host and X-Forwarded-Host headers', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

  await server.post('/api/register', { email: randomEmail(), password: randomCredential() }, foreign)

  const [message] = await server.emails()
  expect(message?.text).toContain('http://sallyport.test/auth/confirm')
  expect(`${message?.text}${message?.html}`).not.toContain('evil')
})

onBothDatabases(
  'ACC-07 without verification a second registration of an address sends an email to its owner',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email } = await server.createMember()

    await server.post('/api/register', { email, password: randomCredential() })

    expect(await server.emails()).toMatchObject([{ to: [{ address: email }], subject: 'You already have an account' }])
  },
)
