import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { ignore } from '@sallyport/contract/ignore'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { isBusy } from './database-errors.ts'

interface InstanceLockOptions {
  readonly databaseUrl: string | undefined
  /** The data folder, which has the lock of the embedded database. */
  readonly folder: string
  readonly log: Pick<Logger, 'error'>
  /** How long a server that is just ending may still have the lock. */
  readonly waitMs?: number
}

export interface InstanceLock {
  release(): Promise<void>
}

const instanceLockFile = 'instance.lock'
const retryMs = 100
const reconnectMs = 5000
/** Identifies the lock in PostgreSQL, where locks belong to one database. */
const lockKey = 7_255_904_233

/**
 * Acquires the lock that keeps a second server without Redis away from the same database: their limits, live updates and
 * tickets would be separate. The operating system or PostgreSQL releases it when the process ends, however it ends.
 */
export async function acquireInstanceLock(options: InstanceLockOptions): Promise<InstanceLock> {
  const { databaseUrl, folder, log, waitMs = 5000 } = options
  const deadline = Date.now() + waitMs
  for (;;) {
    const lock =
      databaseUrl === undefined ? lockFile(join(folder, instanceLockFile)) : await lockDatabase(databaseUrl, log)
    if (lock) return lock
    if (Date.now() >= deadline) throw new Error(alreadyLockedMessage(databaseUrl === undefined ? folder : null))
    await wait(retryMs)
  }
}

const alreadyLockedMessage = (folder: string | null): string =>
  `Another server uses ${folder === null ? 'the database of DATABASE_URL' : `the data folder ${folder}`}. ` +
  'Stop it first. Several servers can share a database only with the same REDIS_URL.'

/** Locks a file by an exclusive transaction of SQLite until the process ends. Returns null if another process has it. */
export function lockFile(path: string): InstanceLock | null {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    chmodSync(path, 0o600)
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: async () => file.close() }
}

/**
 * Locks the database by an advisory lock of a transaction that stays open on a connection of its own. Unlike a lock of
 * the session, it is also released behind a connection pooler. A lost connection is replaced.
 */
async function lockDatabase(url: string, log: Pick<Logger, 'error'>): Promise<InstanceLock | null> {
  let isReleased = false
  let isReported = false
  let timer: NodeJS.Timeout | undefined
  let client = await connectAndLock(url, onLost)
  if (!client) return null

  function onLost(): void {
    if (isReleased) return
    timer = setTimeout(() => void lockAgain(), reconnectMs).unref()
  }

  async function lockAgain(): Promise<void> {
    try {
      client = await connectAndLock(url, onLost)
    } catch (error) {
      ignore(error, 'PostgreSQL is unavailable, which its queries report')
      client = null
    }
    if (isReleased) return void client?.end()
    if (client) return
    if (!isReported) log.error('the lock of the database was lost; another server may use the database without Redis')
    isReported = true
    onLost()
  }

  return {
    async release() {
      isReleased = true
      clearTimeout(timer)
      await client?.end().catch((error: unknown) => ignore(error, 'a broken connection has no lock'))
    },
  }
}

/** Returns a connection that has the lock; null if another one has it. */
async function connectAndLock(url: string, onLost: () => void): Promise<Client | null> {
  // Loaded only with PostgreSQL, because it takes a noticeable part of the start.
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, keepAlive: true })
  client.on('error', (error) => ignore(error, 'the end of the connection is handled'))
  await client.connect()
  // Keepalives detect a machine that has disappeared; the transaction is idle on purpose.
  await client.query(`
    begin;
    set local idle_in_transaction_session_timeout = 0;
    set local tcp_keepalives_idle = 30;
    set local tcp_keepalives_interval = 10;
    set local tcp_keepalives_count = 3`)
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as locked', [lockKey])
  if (rows[0]?.locked !== true) {
    await client.end()
    return null
  }
  client.on('end', onLost)
  return client
}
