import { expect } from 'vitest'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

const day = 24 * 3_600_000

onBothDatabases('ACC-05 for thirty days after its end a licence lets people in, to choose a plan', async (stage) => {
  const server = await startAccounts(stage)
  const { email, password } = await server.aMember()

  stage.advance(7 * day)
  const first = await server.post('/api/login', { email, password })
  stage.advance(30 * day - 1)
  const last = await server.post('/api/login', { email, password })

  for (const answer of [first, last]) {
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      success: true,
      session: { access_token: expect.any(String) },
      user: { email },
      upgrade_required: true,
      trial_expired: true,
      upgrade_message: 'Your trial has ended. Choose a plan to go on.',
    })
  }
})

onBothDatabases(
  'ACC-04 later the refusal carries a sign-in that leads to a new licence and nowhere else',
  async (stage) => {
    const server = await startAccounts(stage)
    const { email, password, userId } = await server.aMember()

    stage.advance(37 * day)
    const refused = await server.post('/api/login', { email, password })
    const { session, user, ...rest } = refused.json()
    const bearer = { authorization: `Bearer ${session.access_token}` }

    expect(refused.statusCode).toBe(403)
    expect(rest).toEqual({
      success: false,
      code: 'TRIAL_EXPIRED',
      error: 'Your trial has expired. Please upgrade to continue.',
      upgrade_required: true,
      trial_expired: true,
      upgrade_message: 'Your trial has ended. Choose a plan to go on.',
    })
    expect(user).toEqual({ id: userId, email })
    expect((await server.get('/api/user-info', bearer)).statusCode).toBe(200)
    expect((await server.get('/api/settings', bearer)).json().code).toBe('UPGRADE_REQUIRED')
  },
)

onBothDatabases(
  'ACC-04 a licence other than the trial says so when it is over, and only to who knows the secret',
  async (stage) => {
    const server = await startAccounts(stage)
    const licenseKey = await server.offers.makeKey({ type: 'vip', storageBytes: 1, days: 90, seats: null, uses: 1 })
    const email = anEmail()
    const password = aCredential()
    await server.post('/api/register', { email, password, licenseKey })

    stage.advance(120 * day)
    const right = await server.post('/api/login', { email, password })
    const wrong = await server.post('/api/login', { email, password: aCredential() })

    expect([right.statusCode, right.json()]).toEqual([
      403,
      expect.objectContaining({
        code: 'LICENSE_EXPIRED',
        error: 'Your licence has expired. Please renew it to continue.',
        upgrade_message: 'Your licence has ended. Choose a plan to go on.',
      }),
    ])
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(wrong.json()).not.toHaveProperty('session')
  },
)

onBothDatabases(
  'T045 ACC-06 an unknown address is answered like a wrong secret, unless the operator wants it told',
  async (stage) => {
    const discreet = await startAccounts(stage)
    const open = await startAccounts(stage, { revealUnknown: true })
    const { email } = await discreet.aMember()
    const password = aCredential()

    const unknown = await discreet.post('/api/login', { email: anEmail(), password })
    const known = await discreet.post('/api/login', { email, password })
    const revealed = await open.post('/api/login', { email: anEmail(), password })
    const wrong = await open.post('/api/login', { email, password })

    expect(unknown.json()).toEqual(known.json())
    expect([unknown.statusCode, unknown.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect([revealed.statusCode, revealed.json()]).toEqual([
      404,
      {
        success: false,
        code: 'USER_NOT_FOUND',
        error: 'Account not found. Please check your email or create a new account.',
      },
    ])
    expect(wrong.json().code).toBe('INVALID_CREDENTIALS')
  },
)

onBothDatabases('T046 nobody reads a list of addresses off the answer for unknown ones', async (stage) => {
  const server = await startAccounts(stage, { revealUnknown: true })
  const ask = async () => (await server.post('/api/login', { email: anEmail(), password: aCredential() })).json().code

  const codes: string[] = []
  for (let round = 0; round < 12; round += 1) codes.push(await ask())

  expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'USER_NOT_FOUND'))
  expect(codes.slice(10)).toEqual(['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS'])
})

onBothDatabases(
  'nobody becomes admin by being first, but the holder of an address that was set for it does',
  async (stage) => {
    const server = await startAccounts(stage, {
      adminEmails: ['Root@Example.org', 'second@example.org'],
      confirmAddresses: true,
    })
    const password = aCredential()
    const signIn = async (email: string) => {
      await server.provider.createUser({ email, credential: password, confirmed: true })
      await server.post('/api/login', { email, password })
    }

    await signIn('first@example.org')
    const afterFirst = await stage.db.selectFrom('admins').selectAll().execute()
    await signIn('root@example.org')
    await signIn('second@example.org')

    const admins = await stage.db
      .selectFrom('admins')
      .innerJoin('users', 'users.id', 'admins.user_id')
      .select(['email', 'since'])
      .execute()
    expect(afterFirst).toEqual([])
    expect(admins).toEqual([{ email: 'root@example.org', since: stage.now() }])
  },
)

onBothDatabases(
  'while no mail confirms addresses, only the first account of all can become admin that way',
  async (stage) => {
    const late = await startAccounts(stage, { adminEmails: ['root@example.org'] })
    await late.aMember()
    const password = aCredential()

    await late.post('/api/register', { email: 'root@example.org', password })
    await late.post('/api/login', { email: 'root@example.org', password })

    expect(await stage.db.selectFrom('admins').selectAll().execute()).toEqual([])
  },
)
