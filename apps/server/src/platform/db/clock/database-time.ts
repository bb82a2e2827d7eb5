import { sql } from 'kysely'
import type { Database } from '../schema.ts'

const measureEveryMs = 10_000

/**
 * Reads the time of the database's machine, so that nodes with different clocks agree on what has expired. The embedded
 * database (null) uses the system clock.
 */
export async function openDatabaseTime(db: Database | null, onError: (error: Error) => void) {
  let offsetMs = 0

  async function measure(remote: Database): Promise<void> {
    const before = Date.now()
    const { rows } = await sql<{
      ms: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(remote)
    const after = Date.now()
    offsetMs = Math.round((rows[0]?.ms ?? after) - (before + after) / 2)
  }

  if (db) await measure(db)
  const timer = db ? setInterval(() => measure(db).catch(onError), measureEveryMs).unref() : undefined
  return {
    /** Epoch milliseconds. */
    read: (): number => Date.now() + offsetMs,
    stop: (): void => clearInterval(timer),
  }
}
