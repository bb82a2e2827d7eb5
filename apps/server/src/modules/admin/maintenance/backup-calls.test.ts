import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminBackup } from '@sallyport/contract/admin-backup'
import type { Reply } from '@sallyport/contract/endpoint'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished } from 'vitest'
import { registerMember, uploadFile } from '../../../testing/clients/running-server.ts'
import { onBothDatabases, onEmbeddedDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { mountSmallDisk, skipUnlessMountable } from '../../../testing/engines/small-disk.ts'
import { runAdmin } from '../../../testing/servers/admin-command.ts'
import { startServerProcess } from '../../../testing/servers/server-process.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'
import {
  addBallast,
  type BackupStage,
  filesIn,
  newestRun,
  onBothBackups,
  runsIn,
  stopPostgresAfterwards,
  withDatabase,
} from '../backup/testing/backup-stage.ts'

stopPostgresAfterwards()

type Status = Reply<typeof adminBackup.status>

const endTimeout = { timeout: 60_000, interval: 100 }

onBothBackups('ADM-04 an admin makes a backup and sees the last one, and so does /metrics', async (stage) => {
  const recipient = await identityToRecipient(await generateX25519Identity())
  const { server, api, userId, accessToken } = await startConfiguredServer(stage, recipient)
  for (const bytes of [10, 1000]) await uploadFile(server.url, accessToken, bytes)
  expect(await api.status()).toEqual({
    success: true,
    settings: { folder: stage.folder, is_sealed: true },
    latest: null,
    is_readable: true,
    running: null,
    last_outcome: null,
  })
  expect(await ageMetric(server.url)).toBe('+Inf')

  const begun = await Promise.all([api.start(), api.start()])

  expect(begun.sort()).toEqual(['200 undefined', '409 BACKUP_RUNNING'])
  expect((await api.status()).running).toMatchObject({ is_stopping: false })
  await api.waitForEnd()
  const { latest, last_outcome } = await api.status()
  expect(last_outcome).toBe('done')
  expect(latest).toMatchObject({ files: 2, is_sealed: true, has_files: true })
  expect(Math.abs((latest?.time ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(latest?.bytes).toBeGreaterThan(1010)
  expect(Number(await ageMetric(server.url))).toBeLessThan(60)
  expect(filesIn(newestRun(stage.folder))).toEqual(expect.arrayContaining(['manifest.json', 'secrets/salt.key.age']))
  expect(await auditRows(stage)).toEqual([
    ['user.promote', 'command-line', 'done', null],
    ['backup.made', 'admin', 'refused', userId],
    ['backup.made', 'admin', 'done', userId],
  ])
})

onBothBackups('ADM-04 a stopped backup is removed, and so is one that runs when the server stops', async (stage) => {
  const { server, api } = await startConfiguredServer(stage, 'plain', addBallast)

  expect(await api.start()).toBe('200 undefined')
  await waitForRun(stage)
  expect(await api.stop()).toBe('200 undefined')
  expect(await api.status()).toMatchObject({ running: null, last_outcome: 'stopped', latest: null })
  expectNothingLeft(stage)

  expect(await api.start()).toBe('200 undefined')
  await waitForRun(stage)
  expect(await server.stop()).toBe(0)
  expectNothingLeft(stage)
  expect(await withDatabase(stage, outcomesOf)).toEqual([
    'user.promote done',
    'backup.made failed BACKUP_STOPPED',
    'backup.stop done',
    'backup.made failed BACKUP_STOPPED',
  ])
})

onBothDatabases('ADM-06 without settings, rights or a recent password no backup is made or stopped', async (stage) => {
  const { api, admin, stop } = await startWithAdmin(stage, {})
  expect(await api.status()).toMatchObject({ settings: null, latest: null, running: null })
  expect(await api.start()).toBe('409 BACKUP_NOT_CONFIGURED')
  expect(await api.stop()).toBe('409 BACKUP_NOT_RUNNING')
  expect(await outcomesOf(stage.db)).toEqual([
    'backup.made refused BACKUP_NOT_CONFIGURED',
    'backup.stop refused BACKUP_NOT_RUNNING',
  ])

  await stage.db.updateTable('sign_ins').set({ proved_at: 1, created_at: 1 }).execute()
  expect([await api.start(), await api.stop()]).toEqual(Array(2).fill('403 PASSWORD_PROOF_REQUIRED'))

  await stage.db.deleteFrom('admins').where('user_id', '=', admin.userId).execute()
  await expect.poll(api.start).toBe('403 FORBIDDEN')
  expect(await api.stop()).toBe('403 FORBIDDEN')
  await stop()
})

onBothDatabases('ADM-06 a folder that cannot be written to and a missing pg_dump are named', async (stage) => {
  const occupied = join(createTestFolder(), 'file')
  writeFileSync(occupied, '')
  const { api, stop } = await startWithAdmin(stage, { BACKUP_DIR: join(occupied, 'backups'), BACKUP_TO: 'plain' })
  expect(await api.status()).toMatchObject({ is_readable: false, latest: null })
  expect(await api.start()).toBe('200 undefined')
  await api.waitForEnd()
  expect((await api.status()).last_outcome).toBe('folder-not-writable')
  expect(await outcomesOf(stage.db)).toEqual(['backup.made failed BACKUP_FOLDER_NOT_WRITABLE'])
  await stop()
  if (stage.databaseUrl === undefined) return

  const second = await startWithAdmin(stage, { BACKUP_DIR: join(createTestFolder(), 'backups'), BACKUP_TO: 'plain' })
  expect(await second.api.start()).toBe('200 undefined')
  await second.api.waitForEnd()
  expect((await second.api.status()).last_outcome).toBe('no-dump-tool')
  await second.stop()
})

skipUnlessMountable(onEmbeddedDatabase)('ADM-06 a full disk is named, and leaves no backup', async (stage) => {
  const disk = mountSmallDisk(256 * 1024)
  onTestFinished(disk.unmount)
  const settings = { BACKUP_DIR: join(disk.folder, 'backups'), BACKUP_TO: 'plain' }
  await stage.db.schema.createTable('ballast').addColumn('content', 'text').execute()
  const untyped = stage.db as unknown as {
    insertInto(table: string): { values(row: object): { execute(): Promise<void> } }
  }
  // More random bytes than the disk has, because the copy is compressed.
  for (let row = 0; row < 8; row += 1)
    await untyped
      .insertInto('ballast')
      .values({ content: randomBytes(65_536).toString('hex') })
      .execute()
  const { api, stop } = await startWithAdmin(stage, settings)
  expect(await api.start()).toBe('200 undefined')
  await api.waitForEnd()
  expect((await api.status()).last_outcome).toBe('no-space')
  expect(await outcomesOf(stage.db)).toEqual(['backup.made failed BACKUP_NO_SPACE'])
  expect(runsIn(settings.BACKUP_DIR)).toEqual([])
  await stop()
})

onEmbeddedDatabase('a server with a wrong key in BACKUP_TO does not start', async ({ folder }) => {
  const BACKUP_TO = `age1${'q'.repeat(58)}`
  const started = startWholeServer({ DATA_DIR: folder, BACKUP_DIR: join(folder, 'backups'), BACKUP_TO })
  await expect(started).rejects.toThrow(`BACKUP_TO: ${BACKUP_TO} is not a public key of age`)
})

/** Starts a server in a process of its own, whose only user is an admin. */
async function startConfiguredServer(
  stage: BackupStage,
  recipients: string,
  prepare: (stage: BackupStage) => Promise<void> = async () => undefined,
) {
  const settings = { ...stage.settings, BACKUP_DIR: stage.folder, BACKUP_TO: recipients }
  const server = await startServerProcess(settings)
  const { email, accessToken } = await registerMember(server.url)
  expect(await runAdmin(stage.settings, 'promote', email)).toMatchObject({ code: 0 })
  await prepare(stage)
  const userId = await withDatabase(stage, async (db) => (await db.selectFrom('users').select('id').execute())[0]?.id)
  return { server, api: backupApi(server.url, accessToken), userId, accessToken }
}

async function startWithAdmin({ db, folder, databaseUrl }: Stage, settings: Readonly<Record<string, string>>) {
  const server = await startWholeServer({
    DATA_DIR: folder,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...settings,
  })
  const admin = await server.createMember()
  await db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  return { admin, api: backupApi(server.url, admin.accessToken), stop: () => server.stop() }
}

/** The calls of an admin. A change resolves with its status and the code of its error. */
function backupApi(url: string, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const status = async (): Promise<Status> =>
    (await (await fetch(url + adminBackup.status.path, { headers })).json()) as Status
  async function post(path: string): Promise<string> {
    const answer = await fetch(url + path, { method: 'POST', headers })
    return `${answer.status} ${((await answer.json()) as { code?: string }).code}`
  }
  return {
    status,
    start: () => post(adminBackup.start.path),
    stop: () => post(adminBackup.stop.path),
    waitForEnd: () => expect.poll(async () => (await status()).running, endTimeout).toBeNull(),
  }
}

async function ageMetric(url: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return /^sallyport_backup_age_seconds (.*)$/m.exec(text)?.[1]
}

const auditRows = (stage: BackupStage) =>
  withDatabase(stage, async (db) => {
    const rows = await db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()
    return rows.map(({ action, actor_kind, outcome, actor_id }) => [action, actor_kind, outcome, actor_id])
  })

/** The outcomes of all rows of the audit log, with the codes of their errors. */
async function outcomesOf(db: Stage['db']): Promise<string[]> {
  const rows = await db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()
  return rows.map(({ action, outcome, details }) =>
    [action, outcome, JSON.parse(details).code].filter((text) => text !== undefined).join(' '),
  )
}

/** Waits until a backup has begun its run, which it removes if it is stopped. */
const waitForRun = ({ folder }: BackupStage) =>
  expect
    .poll(() => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('Z')), {
      timeout: 60_000,
      interval: 10,
    })
    .toBe(true)

function expectNothingLeft({ folder, dataFolder }: BackupStage): void {
  expect(readdirSync(folder)).toEqual(['backup.lock'])
  expect(existsSync(join(dataFolder, 'backup-draft'))).toBe(false)
}
