import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/schema.ts'

export interface Stage {
  readonly db: Database
  /** The clock of the test. It starts at the system time, is stopped and only moves by `advance`. */
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** A temporary folder, deleted after the test. */
  readonly folder: string
  /** URL of the PostgreSQL database; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
}

/**
 * Runs the test on the embedded database and on PostgreSQL, each with a fresh database: for stores, locks, budgets and
 * migrations.
 */
export function onBothDatabases(title: string, body: (stage: Stage) => Promise<void>): void {
  onEmbeddedDatabase(title, body)
  onPostgres(title, body)
}

/** Runs the test on the embedded database, and on PostgreSQL unless the run is short: for what is asked over HTTP. */
export function onAnyDatabase(title: string, body: (stage: Stage) => Promise<void>, timeoutMs?: number): void {
  onEmbeddedDatabase(title, body, timeoutMs)
  if (!process.env['SHORT_RUN']) onPostgres(title, body, timeoutMs)
}

/** Runs the test only on PostgreSQL. */
export function onPostgres(title: string, body: (stage: Stage) => Promise<void>, timeoutMs?: number): void {
  test(`${title} [PostgreSQL]`, { ...(timeoutMs !== undefined && { timeout: timeoutMs }) }, async () => {
    await runTest(await requestDatabase('/postgres'), body)
  })
}

/** Runs the test only on the embedded database: for slow measurements that do not depend on the database. */
export function onEmbeddedDatabase(title: string, body: (stage: Stage) => Promise<void>, timeoutMs?: number): void {
  test(`${title} [SQLite]`, { ...(timeoutMs !== undefined && { timeout: timeoutMs }) }, async () => {
    await requestDatabase('/sqlite')
    await runTest(undefined, body)
  })
}

async function requestDatabase(path: string): Promise<string> {
  const response = await fetch(inject('databaseServer') + path)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return answer
}

async function runTest(databaseUrl: string | undefined, body: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  const { db, close } = await openDatabase({ databaseUrl, folder, onError: () => undefined })
  let time = Date.now()
  const stage: Stage = {
    db,
    folder,
    databaseUrl,
    now: () => time,
    advance: (ms) => {
      time += ms
    },
  }
  try {
    await body(stage)
  } finally {
    await close()
    // A message may still be written to the outbox.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
