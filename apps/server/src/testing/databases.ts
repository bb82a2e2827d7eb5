import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { openDatabase } from '../db/open.ts'
import type { Database } from '../db/schema.ts'

export interface Stage {
  readonly db: Database
  /** The time the test sees: it starts as the machine's, stands still, and moves by `advance` only. */
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** A folder of the test's own, gone afterwards. */
  readonly folder: string
  /** The PostgreSQL the test runs on; undefined on the embedded database. */
  readonly databaseUrl: string | undefined
}

/** The same test on the embedded database and on PostgreSQL, each time with a fresh database of its own. */
export function onBothDatabases(title: string, body: (stage: Stage) => Promise<void>): void {
  onEmbeddedDatabase(title, body)
  test(`${title} [PostgreSQL]`, async () => {
    await perform(await ask('/postgres'), body)
  })
}

/** The test on the embedded database alone: for what is slow to measure and asks the same of either database. */
export function onEmbeddedDatabase(title: string, body: (stage: Stage) => Promise<void>, timeoutMs?: number): void {
  test(`${title} [SQLite]`, { ...(timeoutMs !== undefined && { timeout: timeoutMs }) }, async () => {
    await ask('/sqlite')
    await perform(undefined, body)
  })
}

async function ask(path: string): Promise<string> {
  const response = await fetch(inject('databaseDesk') + path)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return answer
}

async function perform(databaseUrl: string | undefined, body: (stage: Stage) => Promise<void>): Promise<void> {
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
    rmSync(folder, { recursive: true, force: true })
  }
}
