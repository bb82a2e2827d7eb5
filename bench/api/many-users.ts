import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminLimits } from '@sallyport/contract/admin'
import { openDatabase } from '../../apps/server/src/platform/db/open.ts'
import type { Database } from '../../apps/server/src/platform/db/schema.ts'
import { startPostgres } from '../../apps/server/src/testing/engines/postgres-process.ts'
import { createAccount } from '../../e2e/support/account/account.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { cpuSeconds } from '../lib/processes.ts'
import { type BenchServer, startServer } from '../lib/server.ts'
import { spreadOf } from '../lib/statistics.ts'

const users = 100_000
const rowsPerInsert = 500
const rounds = 30
const shownUsers = 100
const firstPage = 1
const lastPage = users / adminLimits.usersPerPage

/** Compares the first and the last page of 100,000 users, and measures the page of one user, on both databases. */
export async function measureManyUsers(): Promise<Finding[]> {
  const postgres = await startPostgres()
  try {
    const onSqlite = await measureOn('SQLite', undefined)
    const onPostgres = await measureOn('PostgreSQL', await postgres.createDatabase('many_users'))
    saveResults('many-users', { onSqlite, onPostgres })
    return [...judgeTimes('SQLite', onSqlite), ...judgeTimes('PostgreSQL', onPostgres)]
  } finally {
    await postgres.stop()
  }
}

interface ListTimes {
  readonly firstMs: number
  readonly middleMs: number
  readonly lastMs: number
  /** CPU time of the server for the page of one user. */
  readonly userCpuMs: number
}

async function measureOn(name: string, databaseUrl: string | undefined): Promise<ListTimes> {
  process.stderr.write(`  ${name}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-users-'))
  const environment = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const server = await startServer({ dataFolder: folder, environment })
  try {
    const account = await createAccount(server.url)
    const opened = await openDatabase({ databaseUrl, folder, onError: console.error })
    const ids = await addUsers(opened.db, account.userId)
    await opened.close()
    return await measureCalls(server, account.accessToken, ids)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes the account an admin and adds copies of it, up to the number of users. Returns some of their ids. */
async function addUsers(db: Database, userId: string): Promise<string[]> {
  await db.insertInto('admins').values({ user_id: userId, since: 0 }).execute()
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const licence = await db.selectFrom('licences').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  const ids = Array.from({ length: users - 1 }, () => randomUUID())
  for (let start = 0; start < ids.length; start += rowsPerInsert) {
    const some = ids.slice(start, start + rowsPerInsert)
    await db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('users')
        .values(some.map((id, index) => ({ ...user, id, email: `${id}@example.org`, created_at: start + index })))
        .execute()
      await transaction
        .insertInto('licences')
        .values(some.map((id) => ({ ...licence, user_id: id })))
        .execute()
      await transaction
        .insertInto('effective_licences')
        .values(some.map((id) => ({ user_id: id, type: licence.type, valid_until: null })))
        .execute()
      await transaction
        .insertInto('storage_use')
        .values(some.map((id, index) => ({ user_id: id, used_bytes: index, reserved_bytes: 0 })))
        .execute()
    })
  }
  return ids.slice(0, shownUsers)
}

async function measureCalls(
  { url, processId }: BenchServer,
  accessToken: string,
  ids: readonly string[],
): Promise<ListTimes> {
  async function call(path: string): Promise<void> {
    const answer = await fetch(`${url}/api/admin/users${path}`, { headers: { authorization: `Bearer ${accessToken}` } })
    if (!answer.ok) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }

  const pages = [firstPage, lastPage / 2, lastPage]
  const durations: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1)
    for (const [index, page] of pages.entries()) {
      const startedAt = performance.now()
      await call(`?page=${page}`)
      durations[index]?.push(performance.now() - startedAt)
    }
  const cpuBefore = cpuSeconds(processId)
  for (const id of ids) await call(`/${id}/detailed`)
  const userCpuMs = ((cpuSeconds(processId) - cpuBefore) / ids.length) * 1000
  const [firstMs = 0, middleMs = 0, lastMs = 0] = durations.map((times) => spreadOf(times).median)
  return { firstMs, middleMs, lastMs, userCpuMs }
}

const judgeTimes = (database: string, { firstMs, middleMs, lastMs, userCpuMs }: ListTimes): Finding[] => [
  judge({
    id: 'P17',
    measure: `${database}: page ${lastPage} of 100,000 users ÷ page 1 (${lastMs.toFixed(1)} ms ÷ ${firstMs.toFixed(1)} ms; the middle page ${middleMs.toFixed(1)} ms)`,
    value: Math.max(firstMs, lastMs) / Math.min(firstMs, lastMs),
    target: { atMost: 3 },
  }),
  judge({
    id: 'P17',
    measure: `${database}: CPU time of the server for the page of one user`,
    value: userCpuMs,
    decimals: 1,
    unit: 'ms',
    target: { atMost: 100 },
  }),
]
