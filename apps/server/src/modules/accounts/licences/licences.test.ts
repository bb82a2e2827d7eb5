import { expect, test } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import { createLicencesStore } from './licences.store.ts'
import { licenceTopic } from './licences.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3
const yearly = { type: 'personal', storageBytes: 50 * gigabyte, days: 365, seats: null, uses: 1 } as const

const licencesIn = ({ db }: Stage) =>
  db.selectFrom('licences').select(['source', 'type', 'expires_at']).orderBy('source').execute()

onBothDatabases('ACC-05 calls require an active licence, except those for getting one', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer } = await server.createMember({ policy: 'remember' })
  const before = await server.get('/api/settings', bearer)
  await stage.db
    .updateTable('licences')
    .set({ expires_at: stage.now() + 60_000 })
    .execute()

  stage.advance(60_000)
  const settings = await server.get('/api/settings', bearer)
  const saved = await server.post('/api/settings', { defaultExpirationMinutes: 5 }, bearer)
  const userInfo = await server.get('/api/user-info', bearer)
  const signIns = await server.get('/api/account/sign-ins', bearer)

  expect(before.statusCode).toBe(200)
  for (const refused of [settings, saved]) {
    expect([refused.statusCode, refused.json()]).toEqual([
      402,
      { success: false, code: 'UPGRADE_REQUIRED', error: 'Your licence has ended. Choose a plan to continue.' },
    ])
  }
  expect([userInfo.statusCode, signIns.statusCode]).toEqual([200, 200])
})

onBothDatabases(
  'ACC-05 a new licence takes effect at once where its change is published, elsewhere within 5 seconds',
  async (stage) => {
    const server = await startAccountServer(stage)
    const here = await server.createMember()
    const there = await server.createMember()
    const store = createLicencesStore(stage.db)
    await stage.db.updateTable('licences').set({ expires_at: stage.now() }).execute()
    const statusOf = async ({ bearer }: typeof here) => (await server.get('/api/settings', bearer)).statusCode
    const ended = [await statusOf(here), await statusOf(there)]

    const licence = { type: 'vip', storageBytes: gigabyte, expiresAt: null } as const
    for (const { userId } of [here, there]) await store.grantByAdmin({ userId, licence, now: stage.now() })
    server.bus.publish(licenceTopic, here.userId)
    await Promise.resolve()

    expect(ended).toEqual([402, 402])
    expect(await statusOf(here)).toBe(200)
    expect(await statusOf(there)).toBe(402)
    stage.advance(5_000)
    expect(await statusOf(there)).toBe(200)
  },
)

onBothDatabases(
  'ACC-06 login and calls answer LICENSE_CHECK_FAILED while licences cannot be queried',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password, bearer } = await server.createMember()
    await stage.db.schema.alterTable('licences').renameTo('licences_elsewhere').execute()

    const answers = [await server.post('/api/login', { email, password }), await server.get('/api/settings', bearer)]
    await stage.db.schema.alterTable('licences_elsewhere').renameTo('licences').execute()
    const again = await server.post('/api/login', { email, password })

    for (const refused of answers) {
      expect(refused.statusCode).toBe(503)
      expect(refused.headers['retry-after']).toBeDefined()
      expect(refused.json()).toEqual({
        success: false,
        code: 'LICENSE_CHECK_FAILED',
        error: 'Unable to verify your account status. Please try again in a moment.',
      })
    }
    expect(again.statusCode).toBe(200)
  },
)

onBothDatabases(
  'ACC-21 a licence key grants its licence once, to the account that registers with it',
  async (stage) => {
    const server = await startAccountServer(stage)
    const licenseKey = await server.offers.createKey(yearly)
    const email = randomEmail()
    const password = randomCredential()

    const taken = await server.post('/api/register', { email, password, licenseKey: ` ${licenseKey.toLowerCase()} ` })
    const second = await server.post('/api/register', { email: randomEmail(), password, licenseKey })

    expect(taken.statusCode).toBe(200)
    expect([second.statusCode, second.json()]).toEqual([
      409,
      { success: false, code: 'LICENSE_KEY_USED', error: 'This licence key has been used up' },
    ])
    expect(await licencesIn(stage)).toEqual([
      { source: 'licence-key', type: 'personal', expires_at: stage.now() + 365 * day },
      { source: 'registration', type: 'trial', expires_at: stage.now() + 7 * day },
    ])
    const { session } = (await server.post('/api/login', { email, password })).json()
    const { user } = (await server.get('/api/user-info', { authorization: `Bearer ${session.access_token}` })).json()
    expect(user).toMatchObject({ license_type: 'personal', storage_limit_bytes: 50 * gigabyte })
    expect(JSON.stringify(await stage.db.selectFrom('licence_offers').selectAll().execute())).not.toContain(licenseKey)
  },
)

onBothDatabases('ACC-21 of 6 concurrent registrations with a key for 2 uses 2 succeed', async (stage) => {
  const server = await startAccountServer(stage)
  const licenseKey = await server.offers.createKey({ ...yearly, uses: 2 })
  const registrations = Array.from({ length: 6 }, () => ({
    email: randomEmail(),
    password: randomCredential(),
    licenseKey,
  }))

  const answers = await Promise.all(registrations.map((registration) => server.post('/api/register', registration)))

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409, 409, 409])
  expect(await stage.db.selectFrom('users').select('id').execute()).toHaveLength(2)
  expect((await licencesIn(stage)).filter(({ source }) => source === 'licence-key')).toHaveLength(2)
})

onBothDatabases('ACC-21 failed registrations and existing addresses do not use up a key', async (stage) => {
  const server = await startAccountServer(stage)
  const { email: taken } = await server.createMember()
  const licenseKey = await server.offers.createKey(yearly)
  const register = (email: string, password: string) => server.post('/api/register', { email, password, licenseKey })

  const refused = [await register('no address', randomCredential()), await register(randomEmail(), 'a typed password')]
  const existingAddress = await register(taken, randomCredential())
  const last = await register(randomEmail(), randomCredential())

  expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400])
  expect([existingAddress.statusCode, last.statusCode]).toEqual([200, 200])
  const { count } = await stage.db
    .selectFrom('licence_claims')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

onBothDatabases('ACC-21 a key can be used again until the address of its account is confirmed', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const licenseKey = await server.offers.createKey(yearly)
  const register = (email: string) => server.post('/api/register', { email, password: randomCredential(), licenseKey })
  const mistyped = 'ann@exmaple.org'
  const right = 'ann@example.org'

  const answers = [await register(mistyped), await register(right), await register(right)]
  await stage.db.updateTable('users').set({ email_confirmed_at: stage.now() }).where('email', '=', right).execute()
  const late = await register(randomEmail())

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect([late.statusCode, late.json().code]).toEqual([409, 'LICENSE_KEY_USED'])
  const holders = await stage.db
    .selectFrom('licences')
    .innerJoin('users', 'users.id', 'licences.user_id')
    .select(['email', 'source'])
    .where('source', '=', 'licence-key')
    .execute()
  expect(holders).toEqual([{ email: right, source: 'licence-key' }])
})

onBothDatabases('ACC-21 deleting an account does not release its licence key', async (stage) => {
  const server = await startAccountServer(stage)
  const licenseKey = await server.offers.createKey(yearly)
  const { user } = (
    await server.post('/api/register', { email: randomEmail(), password: randomCredential(), licenseKey })
  ).json()

  await server.provider.deleteUser(user.id)
  const again = await server.post('/api/register', { email: randomEmail(), password: randomCredential(), licenseKey })

  expect([again.statusCode, again.json().code]).toEqual([409, 'LICENSE_KEY_USED'])
})

onBothDatabases('a licence granted by an operator replaces a key licence but not a subscription', async (stage) => {
  const server = await startAccountServer(stage)
  const licenseKey = await server.offers.createKey(yearly)
  const { user } = (
    await server.post('/api/register', { email: randomEmail(), password: randomCredential(), licenseKey })
  ).json()
  const at = stage.now()
  const paid = { user_id: user.id, source: 'subscription', type: 'business', storage_limit_bytes: 7 }
  await stage.db
    .insertInto('licences')
    .values({ ...paid, expires_at: at + day, updated_at: at })
    .execute()

  const licence = { type: 'vip', storageBytes: 5, expiresAt: null } as const
  await createLicencesStore(stage.db).grantByAdmin({ userId: user.id, licence, now: at })

  expect((await licencesIn(stage)).map(({ source }) => source)).toEqual(['admin', 'registration', 'subscription'])
})

onBothDatabases('shared files stay available to visitors after the licence of their owner has ended', async (stage) => {
  const { databaseUrl, folder } = stage
  const server = await startWholeServer({ DATA_DIR: folder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  const { accessToken } = await server.createMember()
  const authorization = `Bearer ${accessToken}`
  const file = await sealFile({ plainBytes: 100 })
  const id = await server.store(accessToken, file)
  const shared = await server.app.inject({
    method: 'POST',
    url: `/api/file/${id}/share-zk`,
    headers: { authorization },
    payload: { shareEncryptedFileKey: await file.wrap('share', file.rootKey) },
  })
  await stage.db.updateTable('licences').set({ expires_at: 1 }).execute()

  const stranger = await server.app.inject({
    method: 'HEAD',
    url: `/api${shared.json().shareUrl.replace('/s/', '/share/')}`,
  })
  const askAsOwner = () => server.app.inject({ url: `/api/download/${id}`, headers: { authorization } })

  expect(stranger.statusCode).toBe(200)
  await expect.poll(async () => (await askAsOwner()).statusCode, { interval: 500 }).toBe(402)
  await server.stop()
})

onBothDatabases(
  'DEFAULT_PLAN and DEFAULT_STORAGE_GB apply to new accounts and to those with a trial',
  async (stage) => {
    const onTrial = await (await startAccountServer(stage)).createMember()
    const environment = { DEFAULT_PLAN: 'personal', DEFAULT_STORAGE_GB: '20', DEFAULT_EXPIRATION_MINUTES: '1440' }
    const server = await startAccountServer(stage, { environment })
    const isNew = await server.createMember()

    stage.advance(60 * day)
    const infos = []
    for (const { email, password } of [onTrial, isNew]) {
      const { session } = (await server.post('/api/login', { email, password })).json()
      const bearer = { authorization: `Bearer ${session.access_token}` }
      infos.push((await server.get('/api/user-info', bearer)).json().user)
      expect((await server.get('/api/settings', bearer)).json()).toMatchObject({ defaultExpirationMinutes: 1440 })
    }

    for (const info of infos) {
      expect(info).toMatchObject({
        license_type: 'personal',
        license_expires_at: null,
        storage_limit_bytes: 20 * gigabyte,
      })
    }
  },
)

interface Plan {
  readonly type: string
  readonly storageBytes: number
}

test('the configuration offers plans only where accounts start with a trial', async () => {
  const readPlans = async (environment: Record<string, string>) => {
    const server = await startWholeServer(environment)
    const { plans } = (await (await fetch(`${server.url}/api/config`)).json()) as { plans: Plan[] }
    await server.stop()
    return plans.map((plan) => [plan.type, plan.storageBytes / gigabyte])
  }

  expect(await readPlans({ DEFAULT_STORAGE_GB: '2' })).toEqual([
    ['trial', 2],
    ['personal', 50],
    ['business', 50],
  ])
  expect(await readPlans({ DEFAULT_PLAN: 'nonprofit' })).toEqual([])
})
