import { createWriteStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { countChanged } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'

/** Writes the file of the embedded database and throws unless SQLite finds it intact. */
export async function writeSqliteFile(path: string, bytes: Readable): Promise<void> {
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  const database = new DatabaseSync(path)
  try {
    const problems = database.prepare('pragma quick_check').all() as { quick_check: string }[]
    if (problems[0]?.quick_check !== 'ok') throw new Error(`The database is damaged: ${problems[0]?.quick_check}`)
    const violations = database.prepare('pragma foreign_key_check').all()
    if (violations.length > 0)
      throw new Error(`The database is damaged: ${violations.length} rows refer to rows that are missing`)
  } finally {
    database.close()
  }
}

/** Throws unless a PostgreSQL database has no tables. */
export async function requireNoTables(db: Database): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (tables.length > 0)
    throw new Error(`The database has ${tables.length} tables. A backup is restored only into an empty database.`)
}

/** Drops all tables of a PostgreSQL database that was empty before, with the functions of their triggers. */
export async function dropAllTables(db: Database): Promise<void> {
  const functions = await sql<{ signature: string }>`
    select distinct tgfoid::regprocedure::text as signature from pg_trigger where not tgisinternal
  `.execute(db)
  for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: true }))
    await sql`drop table if exists ${sql.table(name)} cascade`.execute(db)
  for (const { signature } of functions.rows) await sql`drop function if exists ${sql.raw(signature)}`.execute(db)
}

/** The ids of the volumes that have files. */
export async function listVolumeIds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('files').select('volume').distinct().orderBy('volume').execute()
  return rows.map(({ volume }) => volume)
}

/** Assigns all files of a volume to another one. */
export async function moveToVolume(db: Database, from: string, to: string): Promise<void> {
  for (const table of ['files', 'uploads'] as const)
    await db.updateTable(table).set({ volume: to }).where('volume', '=', from).execute()
}

/**
 * Ends everything that gives access by itself, because it may have been revoked since the backup: auth sessions with
 * their tokens and remembered devices, one-time tokens, codes, queued messages, portals, and tokens of participants and
 * of join requests. Returns the number of auth sessions.
 */
export async function endAllAccess(transaction: DatabaseTransaction, now: number): Promise<number> {
  // The rows stay: without them those of a hosted provider would be accepted as new.
  const count = await countChanged(
    transaction.updateTable('sign_ins').set({ not_after: now }).where('not_after', '>', now),
  )
  const tables = [
    'refresh_tokens',
    'one_time_tokens',
    'factor_challenges',
    'post_queue',
    'portal_rooms',
    'session_knocks',
  ] as const
  for (const table of tables) await transaction.deleteFrom(table).execute()
  // Not the hash of any token.
  await transaction.updateTable('session_participants').set({ token_hash: sql<string>`'ended:' || id` }).execute()
  return count
}

/** Removes the times that the nodes have seen: the backup may be older than a machine may be off. */
export async function removeClockReadings(transaction: DatabaseTransaction): Promise<void> {
  await transaction.deleteFrom('clock_readings').execute()
}

/** Removes the uploads that are not files yet, whose bytes are not in a backup, and releases their storage. */
export async function removeOpenUploads(transaction: DatabaseTransaction): Promise<number> {
  const count = await countChanged(transaction.deleteFrom('uploads').where('completed_at', 'is', null))
  const reserved = sql<number>`coalesce((
    select sum(reserved_bytes) from uploads where owner_id = storage_use.user_id and cancelled_at is null
  ), 0)`
  await transaction.updateTable('storage_use').set({ reserved_bytes: reserved }).execute()
  return count
}
