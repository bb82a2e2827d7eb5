import { expect } from 'vitest'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

const mailed = 'Your account is made. Please check your email and click the verification link before logging in.'

onBothDatabases(
  'ACC-07 T054 who registers is mailed a link, and cannot sign in before they opened it',
  async (stage) => {
    const server = await startAccounts(stage, { confirmAddresses: true })
    const email = anEmail()
    const password = aCredential()

    const answer = await server.post('/api/register', { email: email.toUpperCase(), password })
    const early = await server.post('/api/login', { email, password })
    const guessed = await server.post('/api/login', { email, password: aCredential() })

    expect(answer.json()).toEqual({
      success: true,
      user: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), email },
      message: mailed,
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
    const [letter, ...others] = await server.letters()
    expect(others).toEqual([])
    expect(letter).toMatchObject({ to: [{ address: email }], subject: 'Please verify your email address' })
    const link = /http:\/\/sallyport\.test\/auth\/confirm#token_hash=([\w-]{43})&type=email\n/
    const [, token_hash] = link.exec(letter?.text ?? '') ?? []
    const confirmed = await server.post('/auth/v1/verify', { type: 'email', token_hash })
    const late = await server.post('/api/login', { email, password })
    expect([confirmed.statusCode, late.statusCode]).toEqual([200, 200])
  },
)

onBothDatabases(
  'T047 an address that is taken is answered like a new one, and its owner is written to',
  async (stage) => {
    const server = await startAccounts(stage, { confirmAddresses: true })
    const email = anEmail()
    const password = aCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })

    const taken = await server.post('/api/register', { email, password: aCredential() })
    const free = await server.post('/api/register', { email: anEmail(), password: aCredential() })

    expect(taken.statusCode).toBe(free.statusCode)
    expect({ ...taken.json(), user: null }).toEqual({ ...free.json(), user: null })
    expect(Object.keys(taken.json().user)).toEqual(Object.keys(free.json().user))
    const letters = await server.letters()
    const toOwner = letters.filter(({ to }) => to?.[0]?.address === email)
    expect(letters).toHaveLength(2)
    expect(toOwner).toMatchObject([{ subject: 'You already have an account' }])
    expect(toOwner[0]?.text).not.toContain('token')
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  },
)

onBothDatabases('nobody is flooded with letters by whoever types their address', async (stage) => {
  const server = await startAccounts(stage, { confirmAddresses: true })
  const email = anEmail()

  const answers = []
  for (let round = 0; round < 5; round += 1) {
    answers.push(await server.post('/api/register', { email, password: aCredential() }))
  }

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await server.letters()).toHaveLength(3)
})

onBothDatabases('T060 a foreign host in the request does not lead a letter there', async (stage) => {
  const server = await startAccounts(stage, { confirmAddresses: true })
  const foreign = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }

  await server.post('/api/register', { email: anEmail(), password: aCredential() }, foreign)

  const [letter] = await server.letters()
  expect(letter?.text).toContain('http://sallyport.test/auth/confirm')
  expect(`${letter?.text}${letter?.html}`).not.toContain('evil')
})

onBothDatabases(
  'ACC-07 without verification an account can be used at once, and its owner hears of a second try',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email } = await server.aMember()

    await server.post('/api/register', { email, password: aCredential() })

    expect(await server.letters()).toMatchObject([{ to: [{ address: email }], subject: 'You already have an account' }])
  },
)
