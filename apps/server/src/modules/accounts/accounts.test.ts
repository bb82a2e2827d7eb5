import { expect } from 'vitest'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'
import { newUser } from '../auth/users/new-user.ts'
import { createUsersStore } from '../auth/users/users.store.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3

onAnyDatabase('ACC-07 registration creates an account with a trial licence and no used storage', async (stage) => {
  const { post } = await startAccountServer(stage)
  const email = randomEmail()

  const answer = await post('/api/register', { email: `  ${email.toUpperCase()} `, password: randomCredential() })

  expect(answer.statusCode).toBe(200)
  const { user, ...rest } = answer.json()
  expect(rest).toEqual({ success: true, message: 'Your account is ready. You can sign in now.' })
  expect(user).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), email })
  expect(await stage.db.selectFrom('licences').selectAll().executeTakeFirst()).toEqual({
    user_id: user.id,
    type: 'trial',
    storage_limit_bytes: gigabyte,
    expires_at: stage.now() + 7 * day,
    source: 'registration',
    updated_at: stage.now(),
  })
  expect(await stage.db.selectFrom('storage_use').selectAll().execute()).toEqual([
    {
      user_id: user.id,
      used_bytes: 0,
      reserved_bytes: 0,
      file_count: 0,
      files_uploaded: 0,
      own_downloads: 0,
      share_downloads: 0,
    },
  ])
})

onAnyDatabase('ACC-07 a user is not created when the licence cannot be created', async (stage) => {
  await startAccountServer(stage)
  const { db, now } = stage
  const users = createUsersStore(db, async () => {
    throw new Error('no licence today')
  })

  const identifier = { email: 'ann@example.org' }
  const attempt = users.add(newUser({ identifier, confirmed: true, passwordHash: null, now: now() }))

  await expect(attempt).rejects.toThrow('no licence today')
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
})

onAnyDatabase(
  'T047 registering an existing address gets the same response as a new one and changes nothing',
  async (stage) => {
    const { post } = await startAccountServer(stage)
    const email = randomEmail()
    const password = randomCredential()
    const first = await post('/api/register', { email, password })

    const second = await post('/api/register', { email, password: randomCredential() })

    expect(second.statusCode).toBe(first.statusCode)
    expect({ ...second.json(), user: null }).toEqual({ ...first.json(), user: null })
    expect(Object.keys(second.json().user)).toEqual(Object.keys(first.json().user))
    expect(second.json().user.email).toBe(email)
    expect(second.json().user.id).not.toBe(first.json().user.id)
    expect(await stage.db.selectFrom('users').selectAll().execute()).toHaveLength(1)
    expect((await post('/api/login', { email, password })).statusCode).toBe(200)
  },
)

onAnyDatabase('T053 4 concurrent registrations with spellings of one address create 1 account', async (stage) => {
  const { post } = await startAccountServer(stage)
  const password = randomCredential()
  const spellings = ['ann@example.org', 'ANN@EXAMPLE.ORG', ' ann@example.org', 'ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ']

  const answers = await Promise.all(spellings.map((email) => post('/api/register', { email, password })))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const users = await stage.db.selectFrom('users').select('email').execute()
  expect(users).toEqual([{ email: 'ann@example.org' }])
  const signedIn = await post('/api/login', { email: 'Ann@Example.org', password })
  expect(signedIn.json().user.email).toBe('ann@example.org')
})

onAnyDatabase('T053 registration rejects invalid email addresses with EMAIL_INVALID', async (stage) => {
  const { post } = await startAccountServer(stage)

  for (const email of ['an n@example.org', 'аnn@example.org', 'ann@example.org\u0000', 'ann', '']) {
    const refused = await post('/api/register', { email, password: randomCredential() })
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'EMAIL_INVALID'])
  }
})

onAnyDatabase('ACC-21 registration rejects an unknown licence key and creates no account', async (stage) => {
  const { post } = await startAccountServer(stage)
  const email = randomEmail()

  const refused = await post('/api/register', {
    email,
    password: randomCredential(),
    licenseKey: 'SP-00000-00000-00000-00000',
  })
  const without = await post('/api/register', { email, password: randomCredential(), licenseKey: '' })

  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { success: false, code: 'LICENSE_KEY_INVALID', error: 'This licence key is not valid' },
  ])
  expect(without.statusCode).toBe(200)
})

onAnyDatabase(
  'registration allows 5 attempts per hour from a public address block and 60 from a private one',
  async (stage) => {
    const { app } = await startAccountServer(stage)
    const register = (remoteAddress: string) =>
      app.inject({ method: 'POST', url: '/api/register', remoteAddress, payload: { email: 'nobody', password: 'x' } })
    const statusesOf = async (times: number, address: string) => {
      const statuses = []
      for (let round = 0; round < times; round += 1) statuses.push((await register(address)).statusCode)
      return statuses
    }

    const onTheInternet = await statusesOf(6, '192.0.2.1')
    const next = await register('192.0.2.1')
    const elsewhere = await register('198.51.100.7')
    const atHome = await statusesOf(61, '192.168.1.2')

    expect(onTheInternet).toEqual([400, 400, 400, 400, 400, 429])
    expect([next.json().code, elsewhere.statusCode]).toEqual(['RATE_LIMITED', 400])
    expect(atHome).toEqual([...Array.from({ length: 60 }, () => 400), 429])
  },
)

onAnyDatabase('T079 registration ignores client-supplied ids, roles and licence fields', async (stage) => {
  const { post } = await startAccountServer(stage)
  const id = '0190a3b4-0000-7000-8000-00000000000f'

  const answer = await post('/api/register', {
    email: randomEmail(),
    password: randomCredential(),
    id,
    is_admin: true,
    license_type: 'vip',
    storage_limit: 1e15,
    app_metadata: { role: 'admin' },
  })

  expect(answer.json().user.id).not.toBe(id)
  expect(await stage.db.selectFrom('licences').select(['type', 'storage_limit_bytes']).execute()).toEqual([
    { type: 'trial', storage_limit_bytes: gigabyte },
  ])
  const { app_metadata } = await stage.db.selectFrom('users').select('app_metadata').executeTakeFirstOrThrow()
  expect(JSON.parse(app_metadata)).toEqual({ provider: 'email', providers: ['email'] })
})

onAnyDatabase('ACC-02 login returns the session and the user', async (stage) => {
  const { post } = await startAccountServer(stage)
  const email = randomEmail()
  const password = randomCredential()
  const { user } = (await post('/api/register', { email, password })).json()

  const answer = await post('/api/login', { email: email.toUpperCase(), password })

  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    success: true,
    session: {
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: Math.floor(stage.now() / 1000) + 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      user: expect.objectContaining({ id: user.id, email, role: 'authenticated' }),
    },
    user: { id: user.id, email },
    upgrade_required: false,
    trial_expired: false,
  })
  expect(answer.body).not.toContain('argon2id')
})

onAnyDatabase('ACC-02 login rejects a wrong password with INVALID_CREDENTIALS', async (stage) => {
  const server = await startAccountServer(stage)
  const { email } = await server.createMember()

  const refused = await server.post('/api/login', { email, password: randomCredential() })

  expect([refused.statusCode, refused.json()]).toEqual([
    401,
    { success: false, code: 'INVALID_CREDENTIALS', error: 'Invalid email or password' },
  ])
})

onAnyDatabase('ACC-03 login requires an email address or phone number, and a password', async (stage) => {
  const { post } = await startAccountServer(stage)
  const phone = '+49 170 1234567'
  const password = randomCredential()
  await post('/auth/v1/signup', { phone, password })

  const byPhone = await post('/api/login', { phone, password })
  const neither = await post('/api/login', { password })
  const blank = await post('/api/login', { email: ' ', phone: '', password })
  const noSecret = await post('/api/login', { email: randomEmail() })

  expect(byPhone.statusCode).toBe(200)
  expect(byPhone.json().user.email).toBe('')
  for (const refused of [neither, blank, noSecret]) {
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({
      code: 'EMAIL_OR_PHONE_REQUIRED',
      error: 'You must provide either an email or phone number and a password',
    })
  }
})

onAnyDatabase('T054 login answers EMAIL_NOT_VERIFIED only if the password is correct', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()
  await stage.db.updateTable('users').set({ email_confirmed_at: null }).execute()

  const right = await server.post('/api/login', { email, password })
  const wrong = await server.post('/api/login', { email, password: randomCredential() })

  expect([right.statusCode, right.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
})

onAnyDatabase('ACC-06 an unreadable licence fails login and user-info with LICENSE_PARSE_FAILED', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password, bearer } = await server.createMember()
  await stage.db.updateTable('licences').set({ type: 'platinum' }).execute()

  const signIn = await server.post('/api/login', { email, password })
  const userInfo = await server.get('/api/user-info', bearer)

  for (const refused of [signIn, userInfo]) {
    expect([refused.statusCode, refused.json()]).toEqual([
      500,
      {
        success: false,
        code: 'LICENSE_PARSE_FAILED',
        error: 'Unable to verify your account status. Please try again in a moment.',
      },
    ])
  }
})

onAnyDatabase(
  'ACC-17 user-info returns the user, the licence and the used storage including uploads in progress',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { userId, email, bearer } = await server.createMember()
    await server.createMember()
    await stage.db
      .updateTable('storage_use')
      .set({ used_bytes: 5_000_000_000, reserved_bytes: 7 })
      .where('user_id', '=', userId)
      .execute()

    const answer = await server.get('/api/user-info', bearer)

    expect(answer.json()).toEqual({
      success: true,
      user: {
        id: userId,
        username: email.split('@')[0],
        email,
        license_type: 'trial',
        license_expires_at: stage.now() + 7 * day,
        storage_used_bytes: 5_000_000_007,
        storage_limit_bytes: gigabyte,
      },
    })
  },
)

onAnyDatabase('account calls without a token answer NO_TOKEN', async (stage) => {
  const { get, post, put } = await startAccountServer(stage)

  const answers = [
    await get('/api/user-info'),
    await get('/api/settings'),
    await post('/api/settings', { defaultExpirationMinutes: 5 }),
    await get('/api/account/keys'),
    await put('/api/account/keys', {}, { 'if-none-match': '*' }),
  ]

  for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([401, 'NO_TOKEN'])
})

onAnyDatabase(
  'SET-02 settings default to 5 minutes in every field that clients read, and list every option',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { bearer } = await server.createMember()

    const answer = await server.get('/api/settings', bearer)

    expect(answer.json()).toEqual({
      success: true,
      current_expiry_minutes: 5,
      defaultExpirationMinutes: 5,
      settings: { defaultExpirationMinutes: 5 },
      expiry_options: {
        minutes: [
          { label: '1 minute', value: 1 },
          { label: '5 minutes', value: 5 },
          { label: '15 minutes', value: 15 },
          { label: '30 minutes', value: 30 },
          { label: '1 hour', value: 60 },
          { label: '3 hours', value: 180 },
          { label: '12 hours', value: 720 },
          { label: '24 hours', value: 1440 },
          { label: '3 days', value: 4320 },
          { label: '7 days', value: 10_080 },
        ],
      },
    })
  },
)

onAnyDatabase('SET-01 saving the settings changes only the account of the caller', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  const theirs = await server.createMember()

  const saved = await server.post('/api/settings', { defaultExpirationMinutes: 60 }, mine.bearer)
  await server.post('/api/settings', { defaultExpirationMinutes: 4320 }, mine.bearer)

  expect(saved.json()).toMatchObject({ success: true, current_expiry_minutes: 60 })
  expect((await server.get('/api/settings', mine.bearer)).json().current_expiry_minutes).toBe(4320)
  expect((await server.get('/api/settings', theirs.bearer)).json().current_expiry_minutes).toBe(5)
})

onAnyDatabase(
  'SET-02 a lifetime that is not offered answers EXPIRATION_NOT_OFFERED and changes nothing',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { bearer } = await server.createMember()

    for (const defaultExpirationMinutes of [0, -5, 2, 10_081, 525_600]) {
      const refused = await server.post('/api/settings', { defaultExpirationMinutes }, bearer)
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'EXPIRATION_NOT_OFFERED'])
    }

    const odd = await server.post('/api/settings', { defaultExpirationMinutes: '60' }, bearer)
    expect([odd.statusCode, odd.json().code]).toEqual([400, 'BAD_REQUEST'])
    expect((await server.get('/api/settings', bearer)).json().current_expiry_minutes).toBe(5)
  },
)
