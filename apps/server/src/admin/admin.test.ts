import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { aCredential, anEmail } from '../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../testing/databases.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { startStopwatch } from '../testing/stopwatch.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const entry = fileURLToPath(new URL('main.ts', import.meta.url))
const day = 24 * 3_600_000

const settingsOf = ({ folder, databaseUrl }: Stage): Record<string, string> => ({
  DATA_DIR: folder,
  PUBLIC_URL: 'https://files.example.org',
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

/** Runs a command as an operator does, in a process of its own. */
async function admin(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [entry, ...args], { env: { PATH: process.env['PATH'], ...settings } })
  const printed: string[] = []
  const complained: string[] = []
  child.stdout.on('data', (piece) => printed.push(String(piece)))
  child.stderr.on('data', (piece) => complained.push(String(piece)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, printed: printed.join('').trim(), complained: complained.join('') }
}

interface Answered {
  readonly code?: string
  readonly ticket?: string
  readonly session: { readonly access_token: string }
  readonly user: unknown
}

async function call(url: string, body?: object, accessToken = '') {
  const answer = await fetch(url, {
    headers: { 'content-type': 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...((await answer.json()) as Answered) }
}

/** The socket a page of this account has open, what it was told, and by which codes it was closed. */
async function openSocket(url: string, accessToken: string) {
  const { ticket } = await call(`${url}/api/live/tickets`, { purpose: 'live' }, accessToken)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live?ticket=${ticket}`, { origin: url })
  const told: string[] = []
  const closedBy: number[] = []
  socket.on('message', (data) => told.push(JSON.parse(String(data)).type))
  socket.on('close', (code) => closedBy.push(code))
  await expect.poll(() => told).toEqual(['ready'])
  return { told, closedBy }
}

onBothDatabases(
  'ORG-07 ACC-21 a link and a key made in a terminal are good at the server that runs beside',
  async (stage) => {
    const settings = settingsOf(stage)
    const server = await startWholeServer(settings)
    const byLink = { email: anEmail(), password: aCredential() }
    const byKey = { email: anEmail(), password: aCredential() }

    const link = await admin(settings, 'magic-link', '--type', 'business', '--storage-gb', '20', '--seats', '12')
    const key = await admin(settings, 'licence-key', '--type', 'vip', '--days', '90')
    const token = /^https:\/\/files\.example\.org\/invite\/([\w-]{43})$/.exec(link.printed)?.[1] ?? ''
    const shown = await call(`${server.url}/api/validate-magic-link/${token}`)
    await call(`${server.url}/api/register-with-magic-link`, { ...byLink, magicToken: token })
    await call(`${server.url}/api/register`, { ...byKey, licenseKey: key.printed })

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

onBothDatabases('ORG-07 an invitation can be mailed, and the command prints its link all the same', async (stage) => {
  const mailServer = await startMailServer()
  const settings = { ...settingsOf(stage), SMTP_URL: mailServer.url }

  const { printed } = await admin(settings, 'magic-link', '--type', 'vip', '--mail', 'Ann@Example.org')

  await expect.poll(() => mailServer.letters).toHaveLength(1)
  const [letter] = mailServer.letters
  expect(letter).toMatchObject({ to: [{ address: 'ann@example.org' }], subject: 'You are invited to Sallyport' })
  expect(letter?.text).toContain(printed)
  expect(letter?.text).toContain('vip licence with 50 GB')
  expect(await stage.db.selectFrom('licence_offers').select('mailed_to').execute()).toEqual([
    { mailed_to: 'ann@example.org' },
  ])
})

onBothDatabases('a licence is given and extended in a terminal', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const email = anEmail()
  await call(`${server.url}/api/register`, { email, password: aCredential() })
  const endOf = async () => {
    const decided = stage.db.selectFrom('licences').select(['type', 'expires_at']).where('source', '=', 'admin')
    const { type, expires_at } = await decided.executeTakeFirstOrThrow()
    return { type, days: expires_at === null ? null : Math.round((expires_at - Date.now()) / day) }
  }

  const given = await admin(settings, 'licence', email, '--type', 'personal', '--days', '30')
  const afterGift = await endOf()
  await admin(settings, 'licence', email, '--extend', '10')
  const afterExtension = await endOf()
  await admin(settings, 'licence', email, '--type', 'nonprofit')

  expect(given.printed).toMatch(new RegExp(`^${email} holds a personal licence until \\d{4}-\\d\\d-\\d\\d\\.$`))
  expect(afterGift).toEqual({ type: 'personal', days: 30 })
  expect(afterExtension).toEqual({ type: 'personal', days: 40 })
  expect(await endOf()).toEqual({ type: 'nonprofit', days: null })
  expect((await admin(settings, 'licence', email, '--extend', '10')).complained).toContain('never ends')
  await server.stop()
})

onBothDatabases(
  'T065 who is banned in a terminal is out within five seconds with their sockets, and comes back when the ban is lifted',
  async (stage) => {
    const settings = settingsOf(stage)
    const server = await startWholeServer(settings)
    const credentials = { email: anEmail(), password: aCredential() }
    await call(`${server.url}/api/register`, credentials)
    const { session } = await call(`${server.url}/api/login`, credentials)
    const ask = async () => (await call(`${server.url}/api/user-info`, undefined, session.access_token)).status
    const before = await ask()
    const socket = await openSocket(server.url, session.access_token)

    await admin(settings, 'ban', credentials.email)
    const closing = await startStopwatch()
    await expect.poll(() => socket.closedBy).toEqual([4001])
    expect(closing()).toBeLessThan(6_000)
    const shutting = await startStopwatch()
    await expect.poll(ask, { interval: 250 }).toBe(401)
    expect(shutting()).toBeLessThan(6_000)
    const kept = await call(`${server.url}/api/login`, credentials)
    await admin(settings, 'unban', credentials.email)
    const back = await call(`${server.url}/api/login`, credentials)

    expect(socket.told.filter((type) => type !== 'alive')).toEqual(['ready', 'account.revoked'])
    expect([before, kept.status, kept.code, back.status]).toEqual([200, 403, 'FORBIDDEN', 200])
    await server.stop()
  },
)

onBothDatabases('ADM-01 somebody is made an admin and unmade, but the last one stays', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const [one, other] = [anEmail(), anEmail()]
  for (const email of [one, other]) await call(`${server.url}/api/register`, { email, password: aCredential() })

  const promoted = [await admin(settings, 'promote', one), await admin(settings, 'promote', other)]
  const demoted = await admin(settings, 'demote', one)
  const last = await admin(settings, 'demote', other)

  expect(promoted.map(({ printed }) => printed)).toEqual([`${one} is an admin.`, `${other} is an admin.`])
  expect(demoted.printed).toBe(`${one} is no admin any more.`)
  expect([last.code, last.complained]).toEqual([1, expect.stringContaining('The last admin stays one')])
  expect(await stage.db.selectFrom('admins').select('user_id').execute()).toHaveLength(1)
  await server.stop()
})

onBothDatabases('what makes no sense is refused with the usage, and changes nothing', async (stage) => {
  const settings = settingsOf(stage)
  const senseless = [
    ['fly'],
    ['toString'],
    ['promote'],
    ['promote', 'nobody@example.org'],
    ['licence-key', '--type', 'platinum'],
    ['licence-key'],
    ['magic-link', '--type', 'vip', '--uses', '0'],
    ['magic-link', '--type', 'vip', '--mail', 'no address'],
    ['licence-key', '--type', 'vip', '--colour', 'red'],
  ]

  const answers = []
  for (const args of senseless) answers.push(await admin(settings, ...args))
  const help = await admin(settings, 'help')

  for (const { code, printed, complained } of answers) {
    expect([code, printed]).toEqual([1, ''])
    expect(complained).toContain('Usage: npm run admin')
  }
  expect([help.code, help.printed]).toEqual([0, expect.stringContaining('promote EMAIL')])
  expect(await stage.db.selectFrom('licence_offers').select('id').execute()).toEqual([])
})

onBothDatabases('keys are changed in a terminal, and whoever is signed in stays so', async (stage) => {
  const settings = settingsOf(stage)
  const before = await startWholeServer(settings)
  const credentials = { email: anEmail(), password: aCredential() }
  await call(`${before.url}/api/register`, credentials)
  const { session } = await call(`${before.url}/api/login`, credentials)
  await before.stop()

  const { printed } = await admin(settings, 'rotate-keys')
  const after = await startWholeServer(settings)
  const asked = await call(`${after.url}/api/user-info`, undefined, session.access_token)
  const again = await call(`${after.url}/api/login`, credentials)

  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(asked.status).toBe(200)
  expect(printed).toContain(kidOf(again.session.access_token))
  expect(kidOf(again.session.access_token)).not.toBe(kidOf(session.access_token))
  await after.stop()
})
