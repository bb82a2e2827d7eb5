import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { openDatabase } from '../../apps/server/src/platform/db/open.ts'
import type { Database } from '../../apps/server/src/platform/db/schema.ts'
import { fileFolder } from '../../apps/server/src/platform/storage/volume.ts'
import { findSystemPostgres, startSystemPostgres } from '../../apps/server/src/testing/engines/system-postgres.ts'
import { createAccount } from '../../e2e/support/account/account.ts'
import { type Finding, notRun, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { startServer } from '../lib/server.ts'
import { table } from '../lib/table.ts'

interface BackupTimes {
  readonly engine: string
  readonly seconds: Readonly<Record<'backup' | 'nextBackup' | 'copyOfData' | 'restore' | 'copyOfBackup', number>>
}

interface BackupBench {
  readonly engine: string
  readonly fileCount: number
  readonly folder: string
  /** The addresses of the database and of an empty one; undefined for the embedded database. */
  readonly databaseUrls: readonly [source: string, target: string] | undefined
  /** The PATH of the commands. */
  readonly path: string
}

const defaultFileCount = 2000
const fileBytes = 100_000
/** Rows of 64 bytes that make the database larger, 64 MB in all. */
const ballastRows = 1_000_000
const commandEntry = fileURLToPath(new URL('../../apps/server/src/admin.ts', import.meta.url))

/** Times a sealed backup, the next one and a restore, each with both databases and next to `cp -a`. */
export async function measureBackup({ fileCount = defaultFileCount }: BenchOptions): Promise<Finding[]> {
  const path = process.env['PATH'] ?? ''
  const sqlite = await withFolder((folder) =>
    measureOn({ engine: 'SQLite', fileCount, folder, databaseUrls: undefined, path }),
  )
  const tools = findSystemPostgres()
  const postgres = tools === null ? [] : [await measureOnPostgres(fileCount, tools, `${tools}:${path}`)]
  const results = [sqlite, ...postgres]
  saveResults('backup', { fileCount, fileBytes, ballastRows, results })
  printTimes(results)
  return tools === null ? [notRun('', 'backup of PostgreSQL', 'needs pg_dump in /usr/lib/postgresql')] : []
}

async function measureOnPostgres(fileCount: number, tools: string, path: string): Promise<BackupTimes> {
  const postgres = await startSystemPostgres(tools)
  try {
    const databaseUrls = [await postgres.createDatabase(), await postgres.createDatabase()] as const
    return await withFolder((folder) => measureOn({ engine: 'PostgreSQL', fileCount, folder, databaseUrls, path }))
  } finally {
    await postgres.stop()
  }
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-backup-'))
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

async function measureOn(bench: BackupBench): Promise<BackupTimes> {
  const { engine, folder, databaseUrls, path } = bench
  const [dataFolder, backupFolder] = [join(folder, 'data'), join(folder, 'backups')]
  await createFiles(bench, dataFolder)
  const identity = await generateX25519Identity()
  const identityFile = join(folder, 'key.txt')
  writeFileSync(identityFile, identity)
  const recipient = await identityToRecipient(identity)
  const run = (databaseUrl: string | undefined, ...args: string[]): void => {
    const environment = {
      PATH: path,
      DATA_DIR: dataFolder,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    }
    execFileSync(process.execPath, [commandEntry, ...args], { env: environment, stdio: 'ignore' })
  }
  const backUp = () => run(databaseUrls?.[0], 'backup', backupFolder, '--to', recipient)
  const backup = secondsOf(backUp)
  const nextBackup = secondsOf(backUp)
  const newest =
    readdirSync(backupFolder)
      .filter((name) => name.endsWith('Z'))
      .sort()
      .at(-1) ?? ''
  const restored = join(folder, 'restored')
  const restore = secondsOf(() =>
    run(databaseUrls?.[1], 'restore', join(backupFolder, newest), '--into', restored, '--identity', identityFile),
  )
  const copyOfData = secondsOf(() => copyFolder(dataFolder, join(folder, 'copy-of-data')))
  const copyOfBackup = secondsOf(() => copyFolder(backupFolder, join(folder, 'copy-of-backup')))
  return { engine, seconds: { backup, nextBackup, copyOfData, restore, copyOfBackup } }
}

function secondsOf(work: () => void): number {
  const startedAt = performance.now()
  work()
  return (performance.now() - startedAt) / 1000
}

/** Copies a folder and flushes it, as a backup does. */
function copyFolder(source: string, target: string): void {
  execFileSync('cp', ['-a', source, target])
  execFileSync('sync', ['--file-system', target])
}

/** Uploads one file, and copies its rows and bytes until there are enough. */
async function createFiles({ fileCount, databaseUrls }: BackupBench, dataFolder: string): Promise<void> {
  const databaseUrl = databaseUrls?.[0]
  const environment = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  mkdirSync(dataFolder)
  const server = await startServer({ dataFolder, environment })
  try {
    const account = await createAccount(server.url)
    await account.upload(new File([new Uint8Array(fileBytes)], 'first.bin'), 10_080)
  } finally {
    await server.stop()
  }
  const { db, close } = await openDatabase({ databaseUrl, folder: dataFolder, onError: console.error })
  try {
    await copyFiles(db, join(dataFolder, 'volumes', 'main'), fileCount)
    await addBallast(db, databaseUrl === undefined)
  } finally {
    await close()
  }
}

async function copyFiles(db: Database, volumeFolder: string, fileCount: number): Promise<void> {
  const file = await db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
  const upload = await db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow()
  const objects = await db.selectFrom('objects').selectAll().execute()
  await db.transaction().execute(async (transaction) => {
    for (let count = 1; count < fileCount; count += 1) {
      const id = randomUUID()
      await transaction
        .insertInto('uploads')
        .values({ ...upload, id, upload_key: id })
        .execute()
      await transaction
        .insertInto('objects')
        .values(objects.map((object) => ({ ...object, file_id: id })))
        .execute()
      await transaction
        .insertInto('files')
        .values({ ...file, id })
        .execute()
      cpSync(fileFolder(volumeFolder, file.id), fileFolder(volumeFolder, id), { recursive: true })
    }
  })
}

async function addBallast(db: Database, isSqlite: boolean): Promise<void> {
  await sql`create table ballast (content text)`.execute(db)
  const rows = isSqlite
    ? sql`
        with recursive rows (number) as (select 1 union all select number + 1 from rows where number < ${ballastRows})
        insert into ballast select hex(randomblob(32)) from rows`
    : sql`insert into ballast select md5(random()::text) || md5(random()::text) from generate_series(1, ${ballastRows}::int)`
  await rows.execute(db)
}

function printTimes(results: readonly BackupTimes[]): void {
  const rows = results.map(({ engine, seconds }) => {
    const { backup, nextBackup, copyOfData, restore, copyOfBackup } = seconds
    const figures = [backup, nextBackup, copyOfData, backup / copyOfData, restore, copyOfBackup, restore / copyOfBackup]
    return [engine, ...figures.map((figure) => figure.toFixed(2))]
  })
  const head = [
    'seconds',
    'backup',
    'next one',
    'cp -a of the data',
    'ratio',
    'restore',
    'cp -a of the backup',
    'ratio',
  ]
  console.log(`\n${table([head, ...rows])}\n`)
}
