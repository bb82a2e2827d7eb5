import { expect } from 'vitest'
import { call, openLiveSocket } from '../../testing/clients/operator.ts'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { startMailServer } from '../../testing/engines/mail-server.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { runAdmin, runAdminProcess, adminSettings as settingsOf } from '../../testing/servers/admin-command.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const day = 24 * 3_600_000

onAnyDatabase(
  'ORG-07 ACC-21 a running server accepts a link and a key that the operator has created',
  async (stage) => {
    const settings = settingsOf(stage)
    const server = await startWholeServer(settings)
    const byLink = { email: randomEmail(), password: randomCredential() }
    const byKey = { email: randomEmail(), password: randomCredential() }

    const terms = ['--type', 'business', '--storage-gb', '20', '--seats', '12']
    const link = await runAdminProcess(settings, 'magic-link', ...terms)
    const key = await runAdmin(settings, 'licence-key', '--type', 'vip', '--days', '90')
    const token = /^https:\/\/files\.example\.org\/invite\/([\w-]{43})$/.exec(link.stdout)?.[1] ?? ''
    const shown = await call(`${server.url}/api/validate-magic-link/${token}`)
    await call(`${server.url}/api/register-with-magic-link`, { ...byLink, magicToken: token })
    await call(`${server.url}/api/register`, { ...byKey, licenseKey: key.stdout })

    expect(shown).toMatchObject({ type: 'business', storage_gb: 20, seats: 12 })
    const licenceOf = async (credentials: object) => {
      const { session } = await call(`${server.url}/api/login`, credentials)
      return (await call(`${server.url}/api/user-info`, undefined, session.access_token)).user
    }
    expect(await licenceOf(byLink)).toMatchObject({ license_type: 'business', license_expires_at: null })
    expect(await licenceOf(byKey)).toMatchObject({ license_type: 'vip', storage_limit_bytes: 50 * 1024 ** 3 })
    await server.stop()
  },
)

onAnyDatabase('ORG-07 magic-link --mail sends the invitation and also prints its link', async (stage) => {
  const mailServer = await startMailServer()
  const settings = { ...settingsOf(stage), SMTP_URL: mailServer.url }

  const { stdout } = await runAdmin(settings, 'magic-link', '--type', 'vip', '--mail', 'Ann@Example.org')

  await expect.poll(() => mailServer.emails).toHaveLength(1)
  const [email] = mailServer.emails
  expect(email).toMatchObject({ to: [{ address: 'ann@example.org' }], subject: 'You are invited to Sallyport' })
  expect(email?.text).toContain(stdout)
  expect(email?.text).toContain('vip licence with 50 GB')
  expect(await stage.db.selectFrom('licence_offers').select('mailed_to').execute()).toEqual([
    { mailed_to: 'ann@example.org' },
  ])
})

onAnyDatabase('licence grants and extends a licence', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const email = randomEmail()
  await call(`${server.url}/api/register`, { email, password: randomCredential() })
  const getAdminLicence = async () => {
    const decided = stage.db.selectFrom('licences').select(['type', 'expires_at']).where('source', '=', 'admin')
    const { type, expires_at } = await decided.executeTakeFirstOrThrow()
    return { type, days: expires_at === null ? null : Math.round((expires_at - Date.now()) / day) }
  }

  const granted = await runAdmin(settings, 'licence', email, '--type', 'personal', '--days', '30')
  const afterGrant = await getAdminLicence()
  await runAdmin(settings, 'licence', email, '--extend', '10')
  const afterExtension = await getAdminLicence()
  await runAdmin(settings, 'licence', email, '--type', 'nonprofit')

  expect(granted.stdout).toMatch(new RegExp(`^${email} holds a personal licence until \\d{4}-\\d\\d-\\d\\d\\.$`))
  expect(afterGrant).toEqual({ type: 'personal', days: 30 })
  expect(afterExtension).toEqual({ type: 'personal', days: 40 })
  expect(await getAdminLicence()).toEqual({ type: 'nonprofit', days: null })
  expect((await runAdmin(settings, 'licence', email, '--extend', '10')).stderr).toContain('never expires')
  await server.stop()
})

onAnyDatabase('T065 ban ends the sessions and sockets of a user, and unban lets them sign in again', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const credentials = { email: randomEmail(), password: randomCredential() }
  await call(`${server.url}/api/register`, credentials)
  const { session } = await call(`${server.url}/api/login`, credentials)
  const ask = async () => (await call(`${server.url}/api/user-info`, undefined, session.access_token)).status
  const before = await ask()
  const socket = await openLiveSocket(server.url, session.access_token)

  await runAdmin(settings, 'ban', credentials.email)
  await expect.poll(() => socket.closeCodes).toEqual([4001])
  await expect.poll(ask, { interval: 250 }).toBe(401)
  const bannedLogin = await call(`${server.url}/api/login`, credentials)
  await runAdmin(settings, 'unban', credentials.email)
  const unbannedLogin = await call(`${server.url}/api/login`, credentials)

  expect(socket.messageTypes.filter((type) => type !== 'alive')).toEqual(['ready', 'account.revoked'])
  expect([before, bannedLogin.status, bannedLogin.code, unbannedLogin.status]).toEqual([200, 403, 'FORBIDDEN', 200])
  await server.stop()
})

onAnyDatabase('ADM-01 promote and demote change admins, but the last one cannot be demoted', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const [one, other] = [randomEmail(), randomEmail()]
  for (const email of [one, other]) await call(`${server.url}/api/register`, { email, password: randomCredential() })

  const promoted = [await runAdmin(settings, 'promote', one), await runAdmin(settings, 'promote', other)]
  const demoted = await runAdmin(settings, 'demote', one)
  const last = await runAdmin(settings, 'demote', other)

  expect(promoted.map(({ stdout }) => stdout)).toEqual([`${one} is an admin.`, `${other} is an admin.`])
  expect(demoted.stdout).toBe(`${one} is no longer an admin.`)
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('The last admin cannot be demoted')])
  expect(await stage.db.selectFrom('admins').select('user_id').execute()).toHaveLength(1)
  await server.stop()
})

onAnyDatabase('invalid commands print the usage, exit with 1 and change nothing', async (stage) => {
  const settings = settingsOf(stage)
  const invalidCommands = [
    ['toString'],
    ['promote'],
    ['promote', 'nobody@example.org'],
    ['licence-key', '--type', 'platinum'],
    ['licence-key'],
    ['magic-link', '--type', 'vip', '--uses', '0'],
    ['magic-link', '--type', 'vip', '--mail', 'no address'],
    ['licence-key', '--type', 'vip', '--colour', 'red'],
  ]

  const answers = [await runAdminProcess(settings, 'fly')]
  for (const args of invalidCommands) answers.push(await runAdmin(settings, ...args))
  const help = await runAdminProcess(settings, 'help')

  for (const { code, stdout, stderr } of answers) {
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Usage: npm run admin')
  }
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('promote EMAIL')])
  expect(await stage.db.selectFrom('licence_offers').select('id').execute()).toEqual([])
})

onAnyDatabase('rotate-keys changes the signing key without signing anyone out', async (stage) => {
  const settings = settingsOf(stage)
  const before = await startWholeServer(settings)
  const credentials = { email: randomEmail(), password: randomCredential() }
  await call(`${before.url}/api/register`, credentials)
  const { session } = await call(`${before.url}/api/login`, credentials)
  await before.stop()

  const { stdout } = await runAdmin(settings, 'rotate-keys')
  const after = await startWholeServer(settings)
  const asked = await call(`${after.url}/api/user-info`, undefined, session.access_token)
  const again = await call(`${after.url}/api/login`, credentials)

  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(asked.status).toBe(200)
  expect(stdout).toContain(kidOf(again.session.access_token))
  expect(kidOf(again.session.access_token)).not.toBe(kidOf(session.access_token))
  await after.stop()
})

onAnyDatabase(
  'service-key prints a key for the admin calls of the auth provider, for 30 days by default',
  async (stage) => {
    const settings = settingsOf(stage)
    const server = await startWholeServer(settings)
    const email = randomEmail()
    await call(`${server.url}/api/register`, { email, password: randomCredential() })
    const listUsers = (key: string) =>
      fetch(`${server.url}/auth/v1/admin/users`, { headers: { authorization: `Bearer ${key}` } })

    const { stdout: key } = await runAdmin(settings, 'service-key', '--days', '2')
    const { stdout: standardKey } = await runAdmin(settings, 'service-key')
    const listed = await listUsers(key)
    const foreign = await listUsers(`${key.slice(0, -4)}AAAA`)

    const secondsOf = (serviceKey: string) => {
      const { iat, exp } = JSON.parse(Buffer.from(serviceKey.split('.')[1] ?? '', 'base64url').toString())
      return exp - iat
    }
    expect([secondsOf(key), secondsOf(standardKey)]).toEqual([(2 * day) / 1000, (30 * day) / 1000])
    expect(await listed.json()).toMatchObject({ users: [{ email }] })
    expect(foreign.status).toBe(403)
    await server.stop()
  },
)
