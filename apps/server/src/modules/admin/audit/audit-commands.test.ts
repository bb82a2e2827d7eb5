import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { isSqlite } from '../../../platform/db/dialect.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { adminSettings, runAdmin, runAdminProcess } from '../../../testing/servers/admin-command.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'

const rowsOf = (db: Database) => db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()

const describeRows = async ({ db }: Stage) =>
  (await rowsOf(db)).map(({ action, subject_id, outcome, details }) => [
    action,
    subject_id,
    outcome,
    JSON.parse(details),
  ])

/** A server of this stage, stopped, with two users. */
async function createUsers(stage: Stage) {
  const settings = adminSettings(stage)
  const server = await startWholeServer(settings)
  const [ann, bob] = [await server.createMember(), await server.createMember()]
  const file = await sealFile({ plainBytes: 10 })
  const id = await server.store(ann.accessToken, file)
  const shared = await server.app.inject({
    method: 'POST',
    url: `/api/file/${id}/share-zk`,
    headers: { authorization: `Bearer ${ann.accessToken}` },
    payload: { shareEncryptedFileKey: await file.wrap('share', file.rootKey) },
  })
  await server.stop()
  return { settings, ann, bob, shareUrl: shared.json().shareUrl as string }
}

onAnyDatabase(
  'T230 each command that changes something appends one row, without addresses and tokens',
  async (stage) => {
    const { settings, ann, bob, shareUrl } = await createUsers(stage)
    const [share] = await stage.db.selectFrom('shares').select('id').execute()
    const commands = [
      ['promote', ann.email],
      ['promote', bob.email],
      ['demote', bob.email],
      ['ban', bob.email, '--days', '3'],
      ['unban', bob.email],
      ['licence', bob.email, '--type', 'personal', '--days', '30', '--storage-gb', '2'],
      ['licence', bob.email, '--extend', '5'],
      ['share', 'end', shareUrl],
      ['users', 'sign-out', bob.email],
      ['users', 'reset-mfa', bob.email],
      ['users', 'delete', bob.email],
      ['licence-key', '--type', 'vip'],
      ['magic-link', '--type', 'business', '--seats', '7', '--mail', 'carl@example.org'],
      ['rotate-keys'],
      ['service-key', '--days', '2'],
    ]

    const answers: Awaited<ReturnType<typeof runAdmin>>[] = []
    for (const args of commands) answers.push(await runAdmin(settings, ...args))
    for (const args of [['users', 'list'], ['users', 'show', ann.email], ['help'], ['audit', 'verify']])
      answers.push(await runAdmin(settings, ...args))

    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(answers.map(() => [0, '']))
    const gigabyte = 1024 ** 3
    const id = expect.stringMatching(/^[\da-f-]{36}$/)
    expect(await describeRows(stage)).toEqual([
      ['user.promote', ann.userId, 'done', {}],
      ['user.promote', bob.userId, 'done', {}],
      ['user.demote', bob.userId, 'done', {}],
      ['user.ban', bob.userId, 'done', { days: 3 }],
      ['user.unban', bob.userId, 'done', {}],
      ['licence.grant', bob.userId, 'done', { type: 'personal', storageBytes: 2 * gigabyte, days: 30 }],
      ['licence.extend', bob.userId, 'done', { days: 5 }],
      ['share.end', share?.id, 'done', {}],
      ['user.sign-out', bob.userId, 'done', {}],
      ['user.reset-mfa', bob.userId, 'done', {}],
      ['user.delete', bob.userId, 'done', {}],
      ['offer.create-key', id, 'done', { type: 'vip', storageBytes: 50 * gigabyte, uses: 1 }],
      [
        'offer.create-link',
        id,
        'done',
        { type: 'business', storageBytes: 50 * gigabyte, seats: 7, uses: 1, emails: 1 },
      ],
      ['keys.rotate', null, 'done', {}],
      ['keys.issue-service-key', null, 'done', { days: 2 }],
    ])
    const rows = await rowsOf(stage.db)
    expect(new Set(rows.map(({ actor_id, actor_kind }) => `${actor_id} ${actor_kind}`))).toEqual(
      new Set(['null command-line']),
    )
    const offers = await stage.db.selectFrom('licence_offers').select('id').orderBy('id').execute()
    expect(offers.map((offer) => offer.id)).toEqual([rows[11]?.subject_id, rows[12]?.subject_id])
    const text = JSON.stringify(rows)
    const tokens = [
      shareUrl.split('/').at(-1),
      ...[11, 12, 14].map((index) => answers[index]?.stdout.split('/').at(-1)),
    ]
    expect(tokens.every((token) => token !== undefined && token.length > 15)).toBe(true)
    for (const secret of ['@', 'example.org', ...tokens]) expect(text).not.toContain(secret)
  },
)

onAnyDatabase('T230 refused and failed commands append one row, invalid ones none', async (stage) => {
  const { settings, ann } = await createUsers(stage)
  const run = async (...args: string[]) => (await runAdmin(settings, ...args)).code

  await runAdmin(settings, 'promote', ann.email)
  const refused = [
    await run('demote', ann.email),
    await run('promote', 'nobody@example.org'),
    await run('users', 'delete', 'nobody@example.org'),
    await run('licence', 'nobody@example.org', '--extend', '3'),
    await run('share', 'end', 'x'.repeat(22)),
    (await runAdmin({ ...settings, AUTH_MODE: 'hosted', ...hostedSettings }, 'users', 'sign-out', ann.email)).code,
  ]
  await runAdmin(settings, 'licence', ann.email, '--type', 'vip')
  refused.push(await run('licence', ann.email, '--extend', '3'))
  writeFileSync(join(stage.folder, 'secrets', 'tokens.jwks'), 'damaged')
  refused.push(await run('rotate-keys'))
  const invalid = [
    await run('fly'),
    await run('promote'),
    await run('promote', 'no address'),
    await run('promote', ann.email, ann.email),
    await run('ban', ann.email, '--days', '0'),
    await run('licence', ann.email, '--type', 'platinum'),
    await run('share', 'end', 'https://files.example.org/invite/x'),
    await run('users', 'fly', ann.email),
    await run('audit'),
    await run('audit', 'verify', 'x'),
    await run('audit', 'verify', '--head', '3'),
  ]

  expect([...refused, ...invalid]).toEqual(Array(19).fill(1))
  expect(await describeRows(stage)).toEqual([
    ['user.promote', ann.userId, 'done', {}],
    ['user.demote', ann.userId, 'refused', { code: 'LAST_ADMIN' }],
    ['user.promote', null, 'refused', { code: 'NOT_FOUND' }],
    ['user.delete', null, 'refused', { code: 'NOT_FOUND' }],
    ['licence.extend', null, 'refused', { days: 3, code: 'NOT_FOUND' }],
    ['share.end', null, 'refused', { code: 'NOT_FOUND' }],
    ['user.sign-out', ann.userId, 'refused', { code: 'HOSTED_PROVIDER' }],
    ['licence.grant', ann.userId, 'done', { type: 'vip', storageBytes: 50 * 1024 ** 3 }],
    ['licence.extend', ann.userId, 'refused', { days: 3, code: 'LICENSE_UNLIMITED' }],
    ['keys.rotate', null, 'failed', { code: 'INTERNAL' }],
  ])
  expect(JSON.stringify(await rowsOf(stage.db))).not.toContain('example.org')
  expect((await runAdmin(settings, 'audit', 'verify')).code).toBe(0)
})

const hostedSettings = {
  AUTH_URL: 'https://auth.example.org/auth/v1',
  AUTH_PUBLISHABLE_KEY: 'key',
  AUTH_SERVICE_KEY: 'key',
  AUTH_JWT_SECRET: 'x'.repeat(32),
}

onAnyDatabase('T230 audit export prints NDJSON, and audit verify names the row that was changed', async (stage) => {
  const settings = adminSettings(stage)
  for (const type of ['vip', 'trial', 'business']) await runAdmin(settings, 'licence-key', '--type', type)

  const exported = await runAdminProcess(settings, 'audit', 'export')
  const verified = await runAdminProcess(settings, 'audit', 'verify')
  const lines = exported.stdout.split('\n').map((text) => JSON.parse(text))
  const { head } = lines.at(-1)
  const argument = `${head.seq}:${head.hash}`

  expect([exported.code, verified.code, verified.stderr]).toEqual([0, 0, ''])
  expect(lines.slice(0, -1)).toEqual(await rowsOf(stage.db))
  expect(verified.stdout).toBe(`The audit log is intact: 3 rows, head ${argument}`)
  expect((await runAdmin(settings, 'audit', 'verify', '--head', argument)).code).toBe(0)

  await removeTriggers(stage.db)
  await stage.db.deleteFrom('admin_audit').where('seq', '=', 3).execute()
  const truncated = [
    await runAdmin(settings, 'audit', 'verify'),
    await runAdmin(settings, 'audit', 'verify', '--head', argument),
  ]
  await stage.db.updateTable('admin_audit').set({ outcome: 'failed' }).where('seq', '=', 2).execute()
  const changed = await runAdminProcess(settings, 'audit', 'verify')

  expect(truncated.map(({ code }) => code)).toEqual([0, 1])
  expect(truncated[1]?.stderr).toBe('The audit log ends before row 3.')
  expect([changed.code, changed.stdout]).toEqual([1, ''])
  expect(changed.stderr).toBe('The audit log has a row 2 that was changed, or written without the key.\n')
})

async function removeTriggers(db: Database): Promise<void> {
  if (!isSqlite(db)) return void (await sql`alter table admin_audit disable trigger user`.execute(db))
  for (const name of ['update', 'delete']) await sql`drop trigger ${sql.id(`admin_audit_no_${name}`)}`.execute(db)
}

onAnyDatabase(
  'the first command after the update creates the key of the audit log, which the server uses',
  async (stage) => {
    const { settings, ann } = await createUsers(stage)
    const path = join(stage.folder, 'secrets', 'audit.key')
    rmSync(path)
    await stage.db.deleteFrom('secret_fingerprints').where('name', '=', 'audit').execute()

    const promoted = await runAdmin(settings, 'promote', ann.email)
    const server = await startWholeServer(settings)
    await server.stop()

    expect(promoted.code).toBe(0)
    expect((await runAdmin(settings, 'audit', 'verify')).stdout).toContain('1 row,')
  },
)

onAnyDatabase('a missing or different key of the audit log prevents commands and the start', async (stage) => {
  const { settings, ann } = await createUsers(stage)
  const path = join(stage.folder, 'secrets', 'audit.key')
  rmSync(path)

  const missing = await runAdmin(settings, 'promote', ann.email)
  await expect(startWholeServer(settings)).rejects.toThrow('audit.key is missing')
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('audit.key is missing')])
  expect(existsSync(path)).toBe(false)

  writeFileSync(path, randomBytes(32))
  chmodSync(path, 0o600)
  const different = await runAdmin(settings, 'promote', ann.email)
  await expect(startWholeServer(settings)).rejects.toThrow('belongs to other secrets: audit.key')
  expect([different.code, different.stderr]).toEqual([1, expect.stringContaining('other secrets: audit.key')])
  expect(await rowsOf(stage.db)).toEqual([])
})
