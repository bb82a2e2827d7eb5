import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect } from 'vitest'
import { freePort } from '../../../../../../tools/free-port.ts'
import { lockFile } from '../../../platform/db/instance-lock.ts'
import { registerMember, signIn, uploadFile } from '../../../testing/clients/running-server.ts'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { adminSettings, runAdmin, runAdminProcess } from '../../../testing/servers/admin-command.ts'
import { startServerProcess } from '../../../testing/servers/server-process.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'
import {
  backUp,
  createFiles,
  downloadAll,
  filesIn,
  flipByte,
  newestRun,
  onBothBackups,
  onEmbeddedBackup,
  restore,
  runsIn,
  stopPostgresAfterwards,
  withDatabase,
} from './testing/backup-stage.ts'

stopPostgresAfterwards()

const dayMs = 24 * 3_600_000
const kilobytes = 1024

const statusOf = async (url: string, token: string): Promise<number> =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status

onBothBackups(
  'a backup made while uploads run has every file acknowledged before it, and a restored server returns the same bytes',
  async (stage) => {
    const { settings, folder } = stage
    const server = await startServerProcess(settings)
    const member = await registerMember(server.url)
    const acknowledged = []
    for (const size of [10, 70, 300, 1000])
      acknowledged.push(await uploadFile(server.url, member.accessToken, size * kilobytes))
    let isStopped = false
    let concurrent = 0
    const uploading = (async () => {
      for (; !isStopped; concurrent += 1) await uploadFile(server.url, member.accessToken, 200 * kilobytes)
    })()
    await expect.poll(() => concurrent).toBeGreaterThan(0)
    const before = concurrent

    const backup = await runAdminProcess(settings, 'backup', folder, '--plain')

    const during = concurrent - before
    isStopped = true
    await uploading
    await server.kill()
    expect([backup.code, backup.stderr]).toEqual([0, expect.stringContaining('Copied the database')])
    expect(during).toBeGreaterThan(0)

    const target = await stage.createTarget()
    const restored = await runAdminProcess(target.settings, 'restore', newestRun(folder), '--into', target.dataFolder)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('Restored the backup of')])
    const ids = acknowledged.map(({ id }) => id)
    const downloaded = await downloadAll(target, member, ids)
    expect(downloaded.map((bytes) => bytes?.length)).toEqual(acknowledged.map(({ file }) => file.sealed.length))
    for (const [index, { file }] of acknowledged.entries()) expect(downloaded[index]?.equals(file.sealed)).toBe(true)
    const secrets = join(target.dataFolder, 'secrets')
    expect([statSync(target.dataFolder).mode & 0o777, statSync(secrets).mode & 0o777]).toEqual([0o700, 0o700])
    expect(filesIn(secrets)).toEqual(filesIn(join(stage.dataFolder, 'secrets')))
    for (const name of filesIn(secrets)) expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o600)
    for (const name of filesIn(newestRun(folder)))
      expect(statSync(join(newestRun(folder), name)).mode & 0o777).toBe(0o600)
    process.stdout.write(`${/in [\d.]+ s/.exec(restored.stdout)?.[0]} restored, ${during} uploads during the backup\n`)
  },
)

onBothBackups(
  'all sign-ins, tokens, codes and keys of the time before a restore are rejected after it',
  async (stage) => {
    // The same port, so that the tokens of both servers have the same issuer.
    const PORT = String(await freePort())
    const server = await startServerProcess({ ...stage.settings, PORT })
    const member = await registerMember(server.url)
    const printed = (await runAdmin({ ...stage.settings, PORT }, 'service-key')).stdout
    const serviceKey = /[\w-]+\.[\w-]+\.[\w-]+/.exec(printed)?.[0] ?? ''
    expect(await statusOf(`${server.url}/auth/v1/admin/users`, serviceKey)).toBe(200)
    await server.kill()
    await withDatabase(stage, async (db) => {
      const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      const times = { created_at: 1, expires_at: Date.now() + dayMs }
      const hashes = { link_hash: 'link', code_hash: 'code', credential_hash: null, challenge: null }
      const token = { id: 'token', user_id: id, kind: 'recovery', relates_to: member.email, challenge_method: null }
      await db
        .insertInto('one_time_tokens')
        .values({ ...token, ...hashes, ...times, attempts: 0 })
        .execute()
    })
    const run = await backUp(stage)

    const target = await stage.createTarget()
    expect(await restore(run, target)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Ended: 1 signed-in device/),
    })
    const counts = await withDatabase(target, async (db) => [
      (await db.selectFrom('sign_ins').selectAll().where('not_after', '>', Date.now()).execute()).length,
      (await db.selectFrom('refresh_tokens').selectAll().execute()).length,
      (await db.selectFrom('one_time_tokens').selectAll().execute()).length,
    ])
    expect(counts).toEqual([0, 0, 0])
    const next = await startServerProcess({ ...target.settings, PORT })
    expect(await statusOf(`${next.url}/api/user-info`, member.accessToken)).toBe(401)
    expect(await statusOf(`${next.url}/auth/v1/admin/users`, serviceKey)).toBe(403)
    expect(await statusOf(`${next.url}/api/user-info`, await signIn(next.url, member))).toBe(200)
    await next.kill()
    expect(await runAdmin(target.settings, 'audit', 'verify')).toMatchObject({ code: 0 })
    const actions = await withDatabase(target, (db) =>
      db.selectFrom('admin_audit').select(['action', 'outcome']).execute(),
    )
    expect(actions.at(-1)).toEqual({ action: 'backup.restored', outcome: 'done' })
    const live = await withDatabase(stage, (db) => db.selectFrom('admin_audit').select(['action', 'outcome']).execute())
    expect(live.at(-1)).toEqual({ action: 'backup.made', outcome: 'done' })
  },
)

onBothBackups('a restore refuses a folder or a database that is not empty and changes nothing', async (stage) => {
  const { member, files } = await createFiles(stage, [10])
  const run = await backUp(stage)
  const target = await stage.createTarget()
  mkdirSync(target.dataFolder)
  writeFileSync(join(target.dataFolder, 'other'), '')
  expect(await restore(run, target)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(filesIn(target.dataFolder)).toEqual(['other'])
  rmSync(join(target.dataFolder, 'other'))

  expect(await restore(run, target)).toMatchObject({ code: 0 })
  expect(await downloadAll(target, member, [files[0]?.id ?? ''])).toEqual([files[0]?.file.sealed])
  const again = { ...target, dataFolder: join(createTestFolder(), 'data') }
  const expected = stage.settings['DATABASE_URL'] === undefined ? 0 : 1
  expect((await restore(run, again)).code).toBe(expected)
})

onBothBackups('a restore refuses a run in which one byte of any part is changed', async (stage) => {
  await createFiles(stage, [10])
  const run = await backUp(stage)
  const target = await stage.createTarget()
  const parts = filesIn(run)
  expect(parts).toEqual(expect.arrayContaining(['manifest.json', 'objects.ndjson', 'secrets/salt.key']))
  for (const part of parts) {
    const undo = flipByte(join(run, part))
    expect([part, await restore(run, target)]).toEqual([
      part,
      expect.objectContaining({ code: 1, stderr: expect.stringContaining('is damaged') }),
    ])
    undo()
  }
  expect(existsSync(target.dataFolder)).toBe(false)
  expect(await restore(run, target)).toMatchObject({ code: 0 })
})

onEmbeddedBackup('a folder without a manifest and a backup of a newer version are not restored', async (stage) => {
  await createFiles(stage, [])
  const run = await backUp(stage)
  const target = await stage.createTarget()
  renameSync(join(run, 'manifest.json'), join(run, 'other.json'))
  expect(await restore(run, target)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a backup') })
  renameSync(join(run, 'other.json'), join(run, 'manifest.json'))
  await withDatabase(stage, async (db) => {
    // The table belongs to the migrator.
    const untyped = db as unknown as {
      insertInto(table: string): { values(row: object): { execute(): Promise<void> } }
    }
    await untyped.insertInto('kysely_migration').values({ name: '9999-later', timestamp: '' }).execute()
  })
  const later = await backUp(stage)
  const refused = await restore(later, target)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('newer version of Sallyport') })
})

onEmbeddedBackup('a server reads each step and the last count, but not a line for each file', async (stage) => {
  await createFiles(stage, Array(20).fill(10))
  const { stdout } = await runAdmin(stage.settings, 'backup', stage.folder, '--plain', '--from-server')
  const lines = stdout.trim().split('\n')
  const progress = lines.map((line) => JSON.parse(line).progress)
  expect(progress[0]).toEqual({ step: 'database', files: 0, totalFiles: null })
  expect(progress[1]).toEqual({ step: 'objects', files: 0, totalFiles: 20 })
  expect(progress.slice(-2)).toEqual([
    { step: 'objects', files: 20, totalFiles: 20 },
    { step: 'finishing', files: 20, totalFiles: 20 },
  ])
  expect(lines.length).toBeLessThan(20)
})

onEmbeddedBackup('a run older than BACKUP_DAYS goes with the objects that no other run lists', async (stage) => {
  const server = await startServerProcess(stage.settings)
  const { accessToken, ...member } = await registerMember(server.url)
  const [gone, shared] = [await uploadFile(server.url, accessToken, 10), await uploadFile(server.url, accessToken, 10)]
  const first = await backUp(stage)
  const objectOf = (id: string): string => join(stage.folder, 'objects', id.slice(-2), id, '0')
  const { ino } = statSync(objectOf(shared.id))
  const headers = { authorization: `Bearer ${accessToken}` }
  expect((await fetch(`${server.url}/api/file/${gone.id}`, { method: 'DELETE', headers })).ok).toBe(true)
  const added = await uploadFile(server.url, accessToken, 10)
  await server.kill()

  await backUp(stage)
  expect(runsIn(stage.folder)).toHaveLength(2)
  expect([gone, shared, added].map(({ id }) => existsSync(objectOf(id)))).toEqual([true, true, true])

  renameSync(first, join(stage.folder, new Date(Date.now() - 7 * dayMs - 1000).toISOString().replaceAll(':', '-')))
  const last = await backUp(stage)
  expect(runsIn(stage.folder)).toHaveLength(2)
  expect([gone, shared, added].map(({ id }) => existsSync(objectOf(id)))).toEqual([false, true, true])
  expect(statSync(objectOf(shared.id)).ino).toBe(ino)
  const target = await stage.createTarget()
  expect(await restore(last, target)).toMatchObject({ code: 0 })
  const downloaded = await downloadAll(target, { ...member, accessToken }, [gone.id, shared.id, added.id])
  expect(downloaded).toEqual([null, shared.file.sealed, added.file.sealed])
})

onBothBackups('T152 while the clock may be wrong a backup removes no older one', async (stage) => {
  await createFiles(stage, [10])
  const first = await backUp(stage)
  renameSync(first, join(stage.folder, new Date(Date.now() - 30 * dayMs).toISOString().replaceAll(':', '-')))
  const reading = { boot_id: 'other', time: Date.now() - 30 * dayMs, uptime_ms: 1, confirmations: 0 }
  await withDatabase(stage, async (db) => {
    await db.deleteFrom('clock_readings').execute()
    await db.insertInto('clock_readings').values(reading).execute()
  })

  await backUp(stage)
  expect(runsIn(stage.folder)).toHaveLength(2)

  expect(await runAdmin(stage.settings, 'confirm-clock')).toMatchObject({ code: 0 })
  await backUp(stage)
  expect(runsIn(stage.folder)).toHaveLength(2)
})

onEmbeddedBackup('of two backups into one folder the second is refused', async (stage) => {
  await createFiles(stage, [])
  mkdirSync(stage.folder)
  const lock = lockFile(join(stage.folder, 'backup.lock'))
  const refused = await runAdmin(stage.settings, 'backup', stage.folder, '--plain')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Another backup is running') })
  await lock?.release()
  await backUp(stage)
})

onEmbeddedBackup(
  'database and secrets are sealed for a public key of age and open with its private key',
  async (stage) => {
    const { member, files } = await createFiles(stage, [10])
    expect(await runAdmin(stage.settings, 'backup', stage.folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('backup expects --to'),
    })
    expect(await runAdmin(stage.settings, 'backup', stage.folder, '--to', 'age1wrong')).toMatchObject({ code: 1 })
    const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
    const run = await backUp(stage, '--to', await identityToRecipient(identity))
    const stored = filesIn(run).map((name) => readFileSync(join(run, name)))
    for (const name of ['salt.key', 'share.key', 'tokens.jwks'])
      expect(stored.some((bytes) => bytes.includes(readFileSync(join(stage.dataFolder, 'secrets', name))))).toBe(false)
    expect(stored.some((bytes) => bytes.includes(member.email))).toBe(false)
    expect(existsSync(join(stage.dataFolder, 'backup-draft'))).toBe(false)

    const keys = createTestFolder()
    writeFileSync(join(keys, 'own.txt'), `# created: today\n${identity}\n`)
    writeFileSync(join(keys, 'other.txt'), other)
    const target = await stage.createTarget()
    expect(await restore(run, target)).toMatchObject({ code: 1, stderr: expect.stringContaining('--identity') })
    expect((await restore(run, await stage.createTarget(), '--identity', join(keys, 'other.txt'))).code).toBe(1)
    expect(await restore(run, target, '--identity', join(keys, 'own.txt'))).toMatchObject({ code: 0 })
    expect(await downloadAll(target, member, [files[0]?.id ?? ''])).toEqual([files[0]?.file.sealed])
  },
)

onBothDatabases('a missing pg_dump is an error that says what to run, and SQLite needs no tool', async (stage) => {
  const refused = await runAdmin(
    adminSettings(stage),
    'backup',
    join(stage.folder, 'backups'),
    '--plain',
    '--pg-bin',
    '/none',
  )
  if (stage.databaseUrl === undefined) return expect(refused.code).toBe(0)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /PostgreSQL 18 needs pg_dump 18 or newer, but there is no pg_dump\..*pg_dump --format=custom/,
  )
  expect(runsIn(join(stage.folder, 'backups'))).toEqual([])
})
