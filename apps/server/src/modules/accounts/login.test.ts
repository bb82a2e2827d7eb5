import { expect } from 'vitest'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'

const day = 24 * 3_600_000

onAnyDatabase('ACC-05 login succeeds with upgrade_required for 30 days after the licence ends', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()

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
      upgrade_message: 'Your trial has ended. Choose a plan to continue.',
    })
  }
})

onAnyDatabase(
  'ACC-04 after 30 days login fails with a session that only authorizes getting a new licence',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password, userId } = await server.createMember()

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
      upgrade_message: 'Your trial has ended. Choose a plan to continue.',
    })
    expect(user).toEqual({ id: userId, email })
    expect((await server.get('/api/user-info', bearer)).statusCode).toBe(200)
    expect((await server.get('/api/settings', bearer)).json().code).toBe('UPGRADE_REQUIRED')
  },
)

onAnyDatabase(
  'ACC-04 an expired paid licence answers LICENSE_EXPIRED, and only if the password is correct',
  async (stage) => {
    const server = await startAccountServer(stage)
    const licenseKey = await server.offers.createKey({ type: 'vip', storageBytes: 1, days: 90, seats: null, uses: 1 })
    const email = randomEmail()
    const password = randomCredential()
    await server.post('/api/register', { email, password, licenseKey })

    stage.advance(120 * day)
    const right = await server.post('/api/login', { email, password })
    const wrong = await server.post('/api/login', { email, password: randomCredential() })

    expect([right.statusCode, right.json()]).toEqual([
      403,
      expect.objectContaining({
        code: 'LICENSE_EXPIRED',
        error: 'Your licence has expired. Please renew it to continue.',
        upgrade_message: 'Your licence has ended. Choose a plan to continue.',
      }),
    ])
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(wrong.json()).not.toHaveProperty('session')
  },
)

onAnyDatabase(
  'T045 ACC-06 login answers unknown addresses like wrong passwords unless revealUnknown is set',
  async (stage) => {
    const discreet = await startAccountServer(stage)
    const open = await startAccountServer(stage, { revealUnknown: true })
    const { email } = await discreet.createMember()
    const password = randomCredential()

    const unknown = await discreet.post('/api/login', { email: randomEmail(), password })
    const known = await discreet.post('/api/login', { email, password })
    const revealed = await open.post('/api/login', { email: randomEmail(), password })
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

onAnyDatabase('T046 login reveals at most 10 unknown addresses per client address', async (stage) => {
  const server = await startAccountServer(stage, { revealUnknown: true })
  const ask = async () =>
    (await server.post('/api/login', { email: randomEmail(), password: randomCredential() })).json().code

  const codes: string[] = []
  for (let round = 0; round < 12; round += 1) codes.push(await ask())

  expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'USER_NOT_FOUND'))
  expect(codes.slice(10)).toEqual(['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS'])
})

onAnyDatabase('the first admin is the first user with a configured address, not the first user', async (stage) => {
  const server = await startAccountServer(stage, {
    adminEmails: ['Root@Example.org', 'second@example.org'],
    confirmEmails: true,
  })
  const password = randomCredential()
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
})

onAnyDatabase('without address verification only the very first account can become the first admin', async (stage) => {
  const late = await startAccountServer(stage, { adminEmails: ['root@example.org'] })
  await late.createMember()
  const password = randomCredential()

  await late.post('/api/register', { email: 'root@example.org', password })
  await late.post('/api/login', { email: 'root@example.org', password })

  expect(await stage.db.selectFrom('admins').selectAll().execute()).toEqual([])
})
