import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { type Account, createAccount } from '../../support/account/account.ts'
import { ApiError, prepareSealedUpload, type SealedUpload } from '../../support/files/sealed-upload.ts'
import { storedFiles } from '../../support/files/stored-files.ts'
import { type ServerProcess, startServer } from '../../support/server/server.ts'

const failpoints = [
  'after-chunk-write',
  'before-chunk-fsync',
  'after-chunk-fsync',
  'after-chunk-rename',
  'after-chunk-row',
  'before-directory-fsync',
  'after-directory-fsync',
  'before-commit',
  'after-commit',
  'before-answer',
  'after-delete-row',
  'during-sweep',
] as const

/** `after-delete-row` interrupts a deletion; `before-answer` follows a completed one. */
const deletionFailpoints: ReadonlySet<string> = new Set(['after-delete-row', 'before-answer'])

const rounds = 50
const workers = 2
const chunkCount = 3
const hourMs = 3_600_000

test(`F01 F02 F03 a server killed ${rounds} times at ${failpoints.length} failpoints loses nothing it acknowledged`, async () => {
  test.setTimeout(600_000)
  const plan = Array.from({ length: rounds }, (_, round) => failpoints[round % failpoints.length] ?? 'before-answer')
  const roundsPerWorker = Math.ceil(rounds / workers)

  const outcomes = await Promise.all(
    Array.from({ length: workers }, (_, workerIndex) =>
      crashRepeatedly(plan.slice(workerIndex * roundsPerWorker, (workerIndex + 1) * roundsPerWorker)),
    ),
  )

  const total = (select: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + select(outcome), 0)
  expect(total(({ killCount }) => killCount)).toBe(rounds)
  // Otherwise the test would have exercised nothing.
  expect(total(({ acknowledged }) => acknowledged)).toBeGreaterThanOrEqual(rounds / 5)
  expect(total(({ resumed }) => resumed)).toBeGreaterThanOrEqual(workers)
  expect(total(({ deleted }) => deleted)).toBeGreaterThanOrEqual(workers)
})

interface Outcome {
  readonly killCount: number
  readonly acknowledged: number
  /** Uploads whose chunks a restarted server still had. */
  readonly resumed: number
  readonly deleted: number
}

/** What the server has acknowledged so far. */
interface ExpectedState {
  /** SHA-256 of the sealed bytes by file id. */
  readonly stored: Map<string, string>
  readonly deleted: Set<string>
  /** Files whose deletion was requested but not acknowledged: both outcomes are valid. */
  readonly unacknowledgedDeletions: Set<string>
  pending: SealedUpload | null
  resumed: number
}

async function crashRepeatedly(plan: readonly string[]): Promise<Outcome> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-crash-'))
  const expected: ExpectedState = {
    stored: new Map(),
    deleted: new Set(),
    unacknowledgedDeletions: new Set(),
    pending: null,
    resumed: 0,
  }
  const account = await createFirstAccount(dataFolder)
  let killCount = 0
  for (const failpoint of plan) {
    const server = await startServer({
      dataFolder,
      environment: { SALLYPORT_FAILPOINT: failpoint },
      longWaitDivisor: failpoint === 'during-sweep' ? 20 : 1,
    })
    await expectAcknowledgedState(server, account, expected)
    await uploadUntilKilled(server, { account, expected, deletes: deletionFailpoints.has(failpoint) })
    expect(await server.ended).toBeNull()
    killCount += 1
    expectIntactDatabase(dataFolder)
  }
  await expectNoLeftovers(dataFolder, account, expected)
  rmSync(dataFolder, { recursive: true, force: true })
  return { killCount, acknowledged: expected.stored.size, resumed: expected.resumed, deleted: expected.deleted.size }
}

async function createFirstAccount(dataFolder: string): Promise<Account> {
  const server = await startServer({ dataFolder })
  const account = await createAccount(server.url)
  await server.kill()
  return account
}

/** Every acknowledged file is listed and intact; no acknowledged deletion is undone. */
async function expectAcknowledgedState(
  { url }: ServerProcess,
  account: Account,
  expected: ExpectedState,
): Promise<void> {
  const headers = { authorization: `Bearer ${account.accessToken}` }
  const list = await fetch(`${url}/api/files`, { headers })
  const listed = ((await list.json()) as { files: { id: string }[] }).files.map(({ id }) => id)
  for (const id of expected.unacknowledgedDeletions) {
    if (!listed.includes(id)) expected.stored.delete(id)
  }
  expected.unacknowledgedDeletions.clear()

  expect(listed).toEqual(expect.arrayContaining([...expected.stored.keys()]))
  expect(listed.filter((id) => expected.deleted.has(id))).toEqual([])
  for (const [id, sha256] of expected.stored) {
    const download = await fetch(`${url}/api/download/${id}`, { headers })
    const bytes = Buffer.from(await download.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex'), `file ${id}`).toBe(sha256)
  }
}

interface WorkOptions {
  readonly account: Account
  readonly expected: ExpectedState
  readonly deletes: boolean
}

/** Resumes the pending upload and starts new ones until the server is gone. */
async function uploadUntilKilled(server: ServerProcess, { account, expected, deletes }: WorkOptions): Promise<void> {
  const exited = server.ended.then(() => 'gone' as const)
  const run = async (): Promise<void> => {
    for (let uploadCount = 0; uploadCount < 5; uploadCount += 1) {
      if (deletes && expected.stored.size > 1) await deleteOne(server.url, account, expected)
      await uploadOne(server.url, account, expected)
    }
    await exited
  }
  await run().catch(async (error: unknown) => {
    if (error instanceof ApiError) throw error
    // A broken connection is expected only if the server is gone.
    const raceResult = await Promise.race([exited, pause(60_000, 'running', { ref: false })])
    if (raceResult !== 'gone') throw error
  })
}

async function uploadOne(url: string, account: Account, expected: ExpectedState): Promise<void> {
  expected.pending ??= await prepareSealedUpload(account, chunkCount)
  const upload = expected.pending
  const missing = await upload.missingChunks(url)
  if (missing !== null && missing.length < chunkCount) expected.resumed += 1
  if (missing === null && (await isComplete(url, upload, expected))) return
  for (const index of missing ?? upload.chunks.keys()) await upload.send(url, index)
  expected.stored.set(await upload.complete(url), upload.sha256)
  expected.pending = null
}

/** An upload that is no longer open may have been completed just before the server could respond. */
async function isComplete(url: string, upload: SealedUpload, expected: ExpectedState): Promise<boolean> {
  const id = await upload.complete(url).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })
  if (id === null) return false
  expected.stored.set(id, upload.sha256)
  expected.pending = null
  return true
}

async function deleteOne(url: string, account: Account, expected: ExpectedState): Promise<void> {
  const [id] = expected.stored.keys()
  if (id === undefined) return
  expected.unacknowledgedDeletions.add(id)
  const headers = { authorization: `Bearer ${account.accessToken}` }
  const answer = await fetch(`${url}/api/file/${id}`, { method: 'DELETE', headers })
  expect(answer.status).toBe(200)
  expected.unacknowledgedDeletions.delete(id)
  expected.stored.delete(id)
  expected.deleted.add(id)
}

/** Checks a copy, as the next server has to find the database unchanged. */
function expectIntactDatabase(dataFolder: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'sallyport-crash-copy-'))
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith('sallyport.db') && !name.endsWith('-shm')) cpSync(join(dataFolder, name), join(copy, name))
  }
  const database = new DatabaseSync(join(copy, 'sallyport.db'))
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  database.close()
  rmSync(copy, { recursive: true, force: true })
}

/** Two hours later, after all cleanup, only the stored files are left. */
async function expectNoLeftovers(dataFolder: string, account: Account, expected: ExpectedState): Promise<void> {
  const first = await startServer({ dataFolder })
  await expectAcknowledgedState(first, account, expected)
  await uploadOne(first.url, account, expected)
  await first.kill()

  const later = await startServer({ dataFolder, clockAheadMs: 2 * hourMs, longWaitDivisor: 500 })
  const expectedIds = [...expected.stored.keys()].sort()
  await expect.poll(() => storedFiles(dataFolder)).toEqual(expectedIds)
  await expect.poll(() => readdirSync(join(dataFolder, 'volumes', 'main', 'incoming'))).toEqual([])
  await later.kill()

  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'))
  const rows = database.prepare('select id from files order by id').all()
  const use = database.prepare('select used_bytes as used, reserved_bytes as reserved from storage_use').get()
  const sizes = database.prepare('select sum(plain_bytes) as bytes from files').get()
  database.close()
  expect(rows.map(({ id }) => id)).toEqual(expectedIds)
  expect(use).toEqual({ used: sizes?.['bytes'], reserved: 0 })
}
