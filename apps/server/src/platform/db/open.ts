import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { type Clock, openClock } from './clock/clock.ts'
import { createClockReadingsStore } from './clock/clock-readings.store.ts'
import { openDatabaseTime } from './clock/database-time.ts'
import { machineUptime } from './clock/uptime.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres.ts'
import type { Database, Tables } from './schema.ts'
import { openSqliteFile, sqliteDialect } from './sqlite.ts'

interface OpenDatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly folder: string
  readonly onError: (error: Error) => void
  /** Leaves the schema as it is, for a backup before an update. */
  readonly skipMigrations?: boolean
}

export interface OpenDatabase {
  readonly db: Database
  readonly clock: Clock
  close(): Promise<void>
}

/** The name of the embedded database in the data folder. */
export const databaseFile = 'sallyport.db'

/** Opens the configured database and migrates its schema. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, folder, onError, skipMigrations = false } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dialect =
    databaseUrl === undefined
      ? sqliteDialect(openSqliteFile(join(folder, databaseFile)))
      : postgresDialect(databaseUrl, onError)
  const db = new Kysely<Tables>({ dialect })
  if (!skipMigrations)
    await migrate(db).catch(async (error: unknown) => {
      await db.destroy()
      throw error
    })
  const time = await openDatabaseTime(databaseUrl === undefined ? null : db, onError)
  const clock = await openClock({ read: time.read, uptime: machineUptime(), store: createClockReadingsStore(db) })
  return {
    db,
    clock,
    async close() {
      time.stop()
      await db.destroy()
    },
  }
}
