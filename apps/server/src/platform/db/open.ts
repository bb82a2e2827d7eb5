import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { createClock } from './clock.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres.ts'
import type { Database, Tables } from './schema.ts'
import { openSqliteFile, sqliteDialect } from './sqlite.ts'

interface OpenDatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly folder: string
  readonly onError: (error: Error) => void
}

export interface OpenDatabase {
  readonly db: Database
  /** The database's time in epoch milliseconds. */
  readonly now: () => number
  close(): Promise<void>
}

/** The name of the embedded database in the data folder. */
export const databaseFile = 'sallyport.db'

/** Opens the configured database and migrates its schema. */
export async function openDatabase({ databaseUrl, folder, onError }: OpenDatabaseOptions): Promise<OpenDatabase> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dialect =
    databaseUrl === undefined
      ? sqliteDialect(openSqliteFile(join(folder, databaseFile)))
      : postgresDialect(databaseUrl, onError)
  const db = new Kysely<Tables>({ dialect })
  await migrate(db).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  const clock = await createClock(databaseUrl === undefined ? null : db, onError)
  return {
    db,
    now: clock.now,
    async close() {
      clock.stop()
      await db.destroy()
    },
  }
}
