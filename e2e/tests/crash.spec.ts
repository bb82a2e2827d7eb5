import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { type Account, createAccount } from '../support/account.ts'
import { prepareSealedUpload, Refused, type SealedUpload } from '../support/sealed-upload.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { storedFiles } from '../support/stored-files.ts'

const moments = [
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

/** At the first of these a deletion breaks off; at the other one has been answered before. */
const deleting: ReadonlySet<string> = new Set(['after-delete-row', 'before-answer'])

const rounds = 50
const lanes = 2
const chunkCount = 3
const hourMs = 3_600_000

test(`F01 F02 F03 killed ${rounds} times at ${moments.length} named moments, a server loses nothing it said it had`, async () => {
  test.setTimeout(300_000)
  const plan = Array.from({ length: rounds }, (_, round) => moments[round % moments.length] ?? 'before-answer')
  const perLane = Math.ceil(rounds / lanes)

  const outcomes = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => torment(plan.slice(lane * perLane, (lane + 1) * perLane))),
  )

  const total = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
  expect(total(({ kills }) => kills)).toBe(rounds)
  // Otherwise the tormentor would have tried nothing.
  expect(total(({ acknowledged }) => acknowledged)).toBeGreaterThanOrEqual(rounds / 5)
  expect(total(({ resumed }) => resumed)).toBeGreaterThanOrEqual(lanes)
  expect(total(({ deleted }) => deleted)).toBeGreaterThanOrEqual(lanes)
})

interface Outcome {
  readonly kills: number
  readonly acknowledged: number
  /** Uploads that a later server had chunks of from an earlier one. */
  readonly resumed: number
  readonly deleted: number
}

/** What a server has promised so far. */
interface Ledger {
  /** SHA-256 of the sealed bytes by file id. */
  readonly stored: Map<string, string>
  readonly deleted: Set<string>
  /** Files whose deletion was asked for and never answered: either way is right. */
  readonly doubtful: Set<string>
  pending: SealedUpload | null
  resumed: number
}

async function torment(plan: readonly string[]): Promise<Outcome> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-crash-'))
  const ledger: Ledger = { stored: new Map(), deleted: new Set(), doubtful: new Set(), pending: null, resumed: 0 }
  const account = await createFirstAccount(dataFolder)
  let kills = 0
  for (const moment of plan) {
    const server = await startServer({
      dataFolder,
      environment: { SALLYPORT_FAILPOINT: moment },
      longWaitsShorter: moment === 'during-sweep' ? 20 : 1,
    })
    await expectPromisesKept(server, account, ledger)
    await workUntilKilled(server, { account, ledger, deletes: deleting.has(moment) })
    expect(await server.ended).toBeNull()
    kills += 1
    expectSoundDatabase(dataFolder)
  }
  await expectTidyInTheEnd(dataFolder, account, ledger)
  rmSync(dataFolder, { recursive: true, force: true })
  return { kills, acknowledged: ledger.stored.size, resumed: ledger.resumed, deleted: ledger.deleted.size }
}

async function createFirstAccount(dataFolder: string): Promise<Account> {
  const server = await startServer({ dataFolder })
  const account = await createAccount(server.url)
  await server.kill()
  return account
}

/** Everything the server said it had is listed and whole; nothing it said was gone has come back. */
async function expectPromisesKept({ url }: RunningServer, account: Account, ledger: Ledger): Promise<void> {
  const headers = { authorization: `Bearer ${account.accessToken}` }
  const list = await fetch(`${url}/api/files`, { headers })
  const listed = ((await list.json()) as { files: { id: string }[] }).files.map(({ id }) => id)
  for (const id of ledger.doubtful) {
    if (!listed.includes(id)) ledger.stored.delete(id)
  }
  ledger.doubtful.clear()

  expect(listed).toEqual(expect.arrayContaining([...ledger.stored.keys()]))
  expect(listed.filter((id) => ledger.deleted.has(id))).toEqual([])
  for (const [id, sha256] of ledger.stored) {
    const download = await fetch(`${url}/api/download/${id}`, { headers })
    const bytes = Buffer.from(await download.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex'), `file ${id}`).toBe(sha256)
  }
}

interface Work {
  readonly account: Account
  readonly ledger: Ledger
  readonly deletes: boolean
}

/** Goes on with what was begun and begins anew, until there is nobody to answer any more. */
async function workUntilKilled(server: RunningServer, { account, ledger, deletes }: Work): Promise<void> {
  const gone = server.ended.then(() => 'gone' as const)
  const work = async (): Promise<void> => {
    for (let uploads = 0; uploads < 5; uploads += 1) {
      if (deletes && ledger.stored.size > 1) await deleteOne(server.url, account, ledger)
      await uploadOne(server.url, account, ledger)
    }
    await gone
  }
  await work().catch(async (error: unknown) => {
    if (error instanceof Refused) throw error
    // The connection broke; that must be because the server is no more.
    const end = await Promise.race([gone, pause(5000)])
    if (end !== 'gone') throw error
  })
}

async function uploadOne(url: string, account: Account, ledger: Ledger): Promise<void> {
  ledger.pending ??= await prepareSealedUpload(account, chunkCount)
  const upload = ledger.pending
  const missing = await upload.missing(url)
  if (missing !== null && missing.length < chunkCount) ledger.resumed += 1
  if (missing === null && (await isComplete(url, upload, ledger))) return
  for (const index of missing ?? upload.chunks.keys()) await upload.send(url, index)
  ledger.stored.set(await upload.complete(url), upload.sha256)
  ledger.pending = null
}

/** An upload that is no longer open may have become a file just before the server could say so. */
async function isComplete(url: string, upload: SealedUpload, ledger: Ledger): Promise<boolean> {
  const id = await upload.complete(url).catch((error: unknown) => {
    if (error instanceof Refused) return null
    throw error
  })
  if (id === null) return false
  ledger.stored.set(id, upload.sha256)
  ledger.pending = null
  return true
}

async function deleteOne(url: string, account: Account, ledger: Ledger): Promise<void> {
  const [id] = ledger.stored.keys()
  if (id === undefined) return
  ledger.doubtful.add(id)
  const headers = { authorization: `Bearer ${account.accessToken}` }
  const answer = await fetch(`${url}/api/file/${id}`, { method: 'DELETE', headers })
  expect(answer.status).toBe(200)
  ledger.doubtful.delete(id)
  ledger.stored.delete(id)
  ledger.deleted.add(id)
}

/** Looks at a copy, as the next server has to find everything as the last one left it. */
function expectSoundDatabase(dataFolder: string): void {
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

/** Two hours later, when everything that was left over has had its time, there are the stored files and nothing else. */
async function expectTidyInTheEnd(dataFolder: string, account: Account, ledger: Ledger): Promise<void> {
  const first = await startServer({ dataFolder })
  await expectPromisesKept(first, account, ledger)
  await uploadOne(first.url, account, ledger)
  await first.kill()

  const later = await startServer({ dataFolder, clockAheadMs: 2 * hourMs, longWaitsShorter: 500 })
  const wanted = [...ledger.stored.keys()].sort()
  await expect.poll(() => storedFiles(dataFolder), { timeout: 20_000 }).toEqual(wanted)
  await expect.poll(() => readdirSync(join(dataFolder, 'volumes', 'main', 'incoming')), { timeout: 20_000 }).toEqual([])
  await later.kill()

  const database = new DatabaseSync(join(dataFolder, 'sallyport.db'))
  const rows = database.prepare('select id from files order by id').all()
  const use = database.prepare('select used_bytes as used, reserved_bytes as reserved from storage_use').get()
  const sizes = database.prepare('select sum(plain_bytes) as bytes from files').get()
  database.close()
  expect(rows.map(({ id }) => id)).toEqual(wanted)
  expect(use).toEqual({ used: sizes?.['bytes'], reserved: 0 })
}
