import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { onAnyDatabase, type Stage } from '../../testing/engines/databases.ts'
import { startMailServer } from '../../testing/engines/mail-server.ts'
import { adminSettings, runAdmin } from '../../testing/servers/admin-command.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

/** Stores a file and shares it; returns the path of the share link. */
async function shareFile(server: WholeServer, accessToken: string): Promise<string> {
  const file = await sealFile({ plainBytes: 1000 })
  const id = await server.store(accessToken, file)
  const shared = await server.app.inject({
    method: 'POST',
    url: `/api/file/${id}/share-zk`,
    headers: { authorization: `Bearer ${accessToken}` },
    payload: { shareEncryptedFileKey: await file.wrap('share', file.rootKey) },
  })
  return shared.json().shareUrl
}

const statusOf = async (server: WholeServer, accessToken: string): Promise<number> => {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await server.app.inject({ url: '/api/user-info', headers })).statusCode
}

const storedObjects = ({ folder }: Stage): string[] =>
  readdirSync(join(folder, 'volumes', 'main'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'volume-id')
    .map(({ name }) => name)

onAnyDatabase(
  'users list prints one line for each user, newest first, and show prints sizes and counts',
  async (stage) => {
    const settings = { ...adminSettings(stage), DEFAULT_PLAN: 'personal' }
    const server = await startWholeServer(settings)
    const members = [await server.createMember(), await server.createMember(), await server.createMember()]
    const [ann] = members
    if (!ann) throw new Error('No member')
    await shareFile(server, ann.accessToken)
    await runAdmin(settings, 'ban', members[2]?.email ?? '')

    const list = await runAdmin(settings, 'users', 'list')
    const shown = await runAdmin(settings, 'users', 'show', ann.email)

    const rows = list.stdout.split('\n').map((row) => row.split('\t'))
    expect(rows.map(([name]) => name)).toEqual(['USER', ...members.map(({ email }) => email).toReversed()])
    expect(rows.map((row) => row.at(-1))).toEqual(['STATE', 'banned', 'active', 'active'])
    expect(rows[3]?.slice(3, 5)).toEqual(['personal', expect.stringMatching(/^1000 Bytes of 50\.00 GB$/)])
    expect(shown.stdout).toMatch(/files {14}1\n {2}share links {8}1\n/)
    expect(shown.stdout).toMatch(/plan {15}personal without an end\n/)
    expect(shown.stdout).toMatch(/signed-in devices {2}1\n/)
    expect(shown.stdout).toContain('second factors     none')
    await server.stop()
  },
)

onAnyDatabase('users delete removes the account with its bytes, and no other one', async (stage) => {
  const settings = adminSettings(stage)
  const server = await startWholeServer(settings)
  const [ann, bob] = [await server.createMember(), await server.createMember()]
  await shareFile(server, ann.accessToken)
  await server.store(bob.accessToken, await sealFile({ plainBytes: 10 }))
  const before = storedObjects(stage).length

  const deleted = await runAdmin(settings, 'users', 'delete', ann.email)

  expect(deleted.stdout).toBe(`${ann.email} is deleted with everything stored for it.`)
  expect([before, storedObjects(stage).length]).toEqual([2, 1])
  for (const table of ['users', 'sign_ins', 'licences', 'storage_use'] as const)
    expect(JSON.stringify(await stage.db.selectFrom(table).selectAll().execute())).not.toContain(ann.userId)
  expect(await stage.db.selectFrom('shares').select('id').execute()).toEqual([])
  await expect.poll(() => statusOf(server, ann.accessToken), { interval: 250 }).toBe(401)
  expect(await statusOf(server, bob.accessToken)).toBe(200)
  await server.stop()
})

onAnyDatabase('users sign-out ends the sessions of one user within 6 seconds', async (stage) => {
  const settings = adminSettings(stage)
  const server = await startWholeServer(settings)
  const [ann, bob] = [await server.createMember(), await server.createMember()]

  await runAdmin(settings, 'users', 'sign-out', ann.email)

  await expect.poll(() => statusOf(server, ann.accessToken), { interval: 250 }).toBe(401)
  expect(await statusOf(server, bob.accessToken)).toBe(200)
  await server.stop()
})

onAnyDatabase('users reset-mfa removes second factors and backup codes, and its owner gets an email', async (stage) => {
  const mailServer = await startMailServer()
  const settings = { ...adminSettings(stage), SMTP_URL: mailServer.url, VERIFY_ADDRESSES: 'off' }
  const server = await startWholeServer(settings)
  const { email, userId, accessToken } = await server.createMember()
  const at = Date.now()
  const factor = { id: 'f1', user_id: userId, type: 'totp', friendly_name: null, phone: null, sealed_secret: 'x' }
  const times = { last_step: null, verified_at: at, last_challenged_at: null, created_at: at, updated_at: at }
  await stage.db
    .insertInto('factors')
    .values({ ...factor, ...times })
    .execute()

  const reset = await runAdmin(settings, 'users', 'reset-mfa', email)
  const again = await runAdmin(settings, 'users', 'reset-mfa', email)

  expect(reset.stdout).toBe(`${email} has no second factor any more, and is signed out on all devices.`)
  expect(again.stdout).toContain('had no second factor')
  expect(await stage.db.selectFrom('factors').select('id').execute()).toEqual([])
  await expect.poll(() => mailServer.emails.map(({ to }) => to?.[0]?.address)).toEqual([email])
  await expect.poll(() => statusOf(server, accessToken), { interval: 250 }).toBe(401)
  await server.stop()
})

onAnyDatabase('share end ends one share by its link or its token', async (stage) => {
  const settings = adminSettings(stage)
  const server = await startWholeServer(settings)
  const { accessToken } = await server.createMember()
  const [first, second, third] = [
    await shareFile(server, accessToken),
    await shareFile(server, accessToken),
    await shareFile(server, accessToken),
  ]
  const shareStatus = async (path: string) =>
    (await server.app.inject({ method: 'HEAD', url: `/api${path.replace('/s/', '/share/')}` })).statusCode

  const byLink = await runAdmin(settings, 'share', 'end', `https://files.example.org${first}#key-that-is-not-used`)
  const byToken = await runAdmin(settings, 'share', 'end', second.replace('/s/', ''))
  const again = await runAdmin(settings, 'share', 'end', `https://files.example.org${first}`)
  const wrong = await runAdmin(settings, 'share', 'end', 'https://files.example.org/invite/x')

  expect([byLink.stdout, byToken.stdout]).toEqual(Array(2).fill('The share link no longer works.'))
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is no such share link')])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not a share link')])
  expect([await shareStatus(first), await shareStatus(second), await shareStatus(third)]).toEqual([404, 404, 200])
  await server.stop()
})

onAnyDatabase('users and share without valid operands print the usage and change nothing', async (stage) => {
  const settings = adminSettings(stage)
  for (const args of [['users'], ['users', 'fly'], ['users', 'list', 'x'], ['users', 'delete'], ['share', 'end']]) {
    const answer = await runAdmin(settings, ...args)
    expect([answer.code, answer.stdout]).toEqual([1, ''])
    expect(answer.stderr).toContain('Usage: npm run admin')
  }
})
