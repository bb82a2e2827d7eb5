import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../../../platform/db/open.ts'
import {
  downloadFile,
  type RunningMember,
  registerMember,
  signIn,
  uploadFile,
} from '../../../../testing/clients/running-server.ts'
import { findSystemPostgres, startSystemPostgres } from '../../../../testing/engines/system-postgres.ts'
import { runAdmin } from '../../../../testing/servers/admin-command.ts'
import { startServerProcess } from '../../../../testing/servers/server-process.ts'
import { createTestFolder } from '../../../../testing/test-folder.ts'

/** The folders and the database of one test. */
export interface BackupStage {
  /** The settings of the server and of its commands. */
  readonly settings: Readonly<Record<string, string>>
  readonly dataFolder: string
  /** The folder of all runs. */
  readonly folder: string
  /** The settings of a server over another, empty data folder and database. */
  createTarget(): Promise<BackupTarget>
}

export interface BackupTarget {
  readonly dataFolder: string
  readonly settings: Readonly<Record<string, string>>
  /** The name of its database in PostgreSQL. */
  readonly databaseName: string | null
}

const postgresFolder = findSystemPostgres()
let postgres: ReturnType<typeof startSystemPostgres> | undefined

/** Runs the test on the embedded database, and on a PostgreSQL that has `pg_dump` where this machine has one. */
export function onBothBackups(title: string, body: (stage: BackupStage) => Promise<void>): void {
  onEmbeddedBackup(title, body)
  test.skipIf(postgresFolder === null)(`${title} [PostgreSQL]`, async () => {
    postgres ??= startSystemPostgres(postgresFolder ?? '')
    const { createDatabase } = await postgres
    await body(await createStage(createDatabase))
  })
}

/** Runs the test on the embedded database. */
export function onEmbeddedBackup(title: string, body: (stage: BackupStage) => Promise<void>): void {
  test(`${title} [SQLite]`, async () => body(await createStage(async () => null)))
}

/** Stops PostgreSQL after the tests of this file. */
export function stopPostgresAfterwards(): void {
  afterAll(async () => (await postgres)?.stop())
}

async function createStage(createDatabase: () => Promise<string | null>): Promise<BackupStage> {
  const source = await createTarget()
  async function createTarget(): Promise<BackupTarget> {
    const dataFolder = join(createTestFolder(), 'data')
    const databaseUrl = await createDatabase()
    return {
      dataFolder,
      databaseName: databaseUrl === null ? null : new URL(databaseUrl).pathname.slice(1),
      settings: {
        PATH: [postgresFolder, process.env['PATH']].join(':'),
        DATA_DIR: dataFolder,
        ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      },
    }
  }
  return { ...source, folder: join(createTestFolder(), 'backups'), createTarget }
}

/** The paths of all files in a folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

/** The names of the runs that are backups, oldest first. */
export const runsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => statSync(join(folder, name, 'manifest.json'), { throwIfNoEntry: false }) !== undefined)
    .sort()

/** Changes one byte in the middle of a file. Returns a function that restores it. */
export function flipByte(path: string): () => void {
  const bytes = readFileSync(path)
  const changed = Buffer.from(bytes)
  const middle = Math.floor(bytes.length / 2)
  changed[middle] = (changed[middle] ?? 0) ^ 1
  writeFileSync(path, changed)
  return () => writeFileSync(path, bytes)
}

/** The folder of the newest backup. */
export const newestRun = (folder: string): string => join(folder, runsIn(folder).at(-1) ?? 'none')

/** Makes a backup in plain, or with these options, and returns the folder of the run. */
export async function backUp({ settings, folder }: BackupStage, ...options: string[]): Promise<string> {
  const result = await runAdmin(settings, 'backup', folder, ...(options.length > 0 ? options : ['--plain']))
  expect([result.code, result.code === 0 ? '' : result.stderr]).toEqual([0, ''])
  return newestRun(folder)
}

/** Restores a run and returns what the command has printed. */
export const restore = (run: string, { settings, dataFolder }: BackupTarget, ...options: string[]) =>
  runAdmin(settings, 'restore', run, '--into', dataFolder, ...options)

/** A server with a member and some files, stopped. */
export async function createFiles(stage: BackupStage, sizes: readonly number[]) {
  const server = await startServerProcess(stage.settings)
  const member = await registerMember(server.url)
  const files: Awaited<ReturnType<typeof uploadFile>>[] = []
  for (const size of sizes) files.push(await uploadFile(server.url, member.accessToken, size))
  await server.kill()
  return { member, files }
}

/** Fills the database, so that its copies take a while. */
export async function addBallast(stage: BackupStage): Promise<void> {
  await withDatabase(stage, async (db) => {
    const rows = stage.settings['DATABASE_URL'] === undefined ? sqliteBallast : postgresBallast
    await sql`create table ballast (content text)`.execute(db)
    await rows.execute(db)
  })
}

const sqliteBallast = sql`
  with recursive rows (number) as (select 1 union all select number + 1 from rows where number < 12)
  insert into ballast select hex(randomblob(1000000)) from rows
`
const postgresBallast = sql`
  insert into ballast select md5(random()::text) || md5(random()::text) from generate_series(1, 200000)
`

/** Downloads files from a restored server after a new sign-in; null for each that is not there. */
export async function downloadAll({ settings }: BackupTarget, member: RunningMember, ids: readonly string[]) {
  const server = await startServerProcess(settings)
  const accessToken = await signIn(server.url, member)
  const bytes: (Buffer | null)[] = []
  for (const id of ids) bytes.push(await downloadFile(server.url, accessToken, id))
  await server.kill()
  return bytes
}

/** Opens the database of a stopped server. */
export async function withDatabase<Result>(
  { settings, dataFolder }: BackupTarget | BackupStage,
  work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = settings['DATABASE_URL']
  const { db, close } = await openDatabase({ databaseUrl, folder: dataFolder, onError: () => undefined })
  return work(db).finally(close)
}
