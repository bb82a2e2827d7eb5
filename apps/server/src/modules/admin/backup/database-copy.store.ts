import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, sql } from 'kysely'
import { databaseFile } from '../../../platform/db/open.ts'
import type { Database, Tables } from '../../../platform/db/schema.ts'
import { sqliteDialect } from '../../../platform/db/sqlite.ts'
import { readDiskSpace } from '../../../platform/storage/disk-space.ts'
import { BackupError } from './backup-error.ts'
import { type DatabaseSummary, listFiles, summarizeDatabase } from './copied-tables.store.ts'
import { formatObjectList } from './object-list.ts'
import { dumpDatabase, findToolVersion, type PostgresTools } from './postgres-tools.ts'

interface CopyDatabaseInput<Part> {
  /** Reads the bytes of the copy. */
  readonly consume: (bytes: Readable) => Promise<Part>
  /** Receives the list of all files of the copied database. */
  readonly listPath: string
}

interface DatabaseCopy<Part> extends DatabaseSummary {
  readonly part: Part
}

const headroomBytes = 64 * 1024 * 1024

/**
 * Copies the embedded database while the server runs. The draft is made in the data folder, so that what is not sealed
 * yet does not reach another disk.
 */
export async function copySqlite<Part>(
  folder: string,
  { consume, listPath }: CopyDatabaseInput<Part>,
): Promise<DatabaseCopy<Part>> {
  const source = join(folder, databaseFile)
  const draftFolder = draftFolderOf(folder)
  const draft = join(draftFolder, databaseFile)
  const { freeBytes } = await readDiskSpace(folder)
  const { size } = await stat(source)
  if (freeBytes < size + headroomBytes)
    throw new BackupError(
      'no-space',
      `The copy of the database needs ${size} bytes in ${folder}, which has only ${freeBytes} free`,
    )
  await removeDraft(folder)
  await mkdir(draftFolder, { mode: 0o700 })
  try {
    vacuumInto(source, draft)
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(draft)) })
    const summary = await describe(db, listPath).finally(() => db.destroy())
    return { ...summary, part: await consume(createReadStream(draft)) }
  } finally {
    await removeDraft(folder)
  }
}

/** Removes the plain draft that an interrupted copy has left in the data folder. */
export const removeDraft = (folder: string): Promise<void> =>
  rm(draftFolderOf(folder), { recursive: true, force: true })

const draftFolderOf = (folder: string): string => join(folder, 'backup-draft')

function vacuumInto(source: string, target: string): void {
  const database = new DatabaseSync(source, { timeout: 30_000 })
  try {
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}

/** Copies a PostgreSQL database by `pg_dump`. The counts and the list are of the same snapshot. */
export async function copyPostgres<Part>(
  { db, url, tools }: { readonly db: Database; readonly url: string; readonly tools: PostgresTools },
  { consume, listPath }: CopyDatabaseInput<Part>,
): Promise<DatabaseCopy<Part>> {
  await requireDumpTool(db, tools)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // The transaction waits for the dump, however long that takes.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
      await sql`set local statement_timeout = 0`.execute(transaction)
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(transaction)
      const part = await dumpDatabase(tools, { url, snapshot: rows[0]?.id ?? '' }, consume)
      return { ...(await describe(transaction, listPath)), part }
    })
}

async function requireDumpTool(db: Database, tools: PostgresTools): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  const needed = Math.floor(Number(rows[0]?.version) / 10_000)
  const version = await findToolVersion(tools, 'pg_dump')
  if (version !== null && version >= needed) return
  const found = version === null ? 'there is no pg_dump' : `pg_dump is of version ${version}`
  throw new BackupError(
    'no-dump-tool',
    `PostgreSQL ${needed} needs pg_dump ${needed} or newer, but ${found}. Install postgresql-client-${needed}, name the ` +
      'folder of pg_dump by --pg-bin, or make the copy elsewhere: pg_dump --format=custom --file=database.pgdump "$DATABASE_URL"',
  )
}

async function describe(db: Parameters<typeof listFiles>[0], listPath: string): Promise<DatabaseSummary> {
  await pipeline(formatObjectList(listFiles(db)), createWriteStream(listPath, { flags: 'wx', mode: 0o600 }))
  return summarizeDatabase(db)
}
