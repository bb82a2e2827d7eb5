import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMetrics } from '../../../platform/monitoring/metrics.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'
import { type Manifest, runNameOf, writeManifest } from '../backup/manifest.ts'
import { createLatestBackup, findLatestRun, type LatestResult } from './latest-backup.ts'

const day = 24 * 3_600_000
const minute = 60_000
const unreadable: LatestResult = { latest: null, isReadable: false }
const found: LatestResult = {
  latest: { time: 1, bytes: 2, files: 3, is_sealed: true, has_files: true },
  isReadable: true,
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('ADM-04 a disk that does not answer is read once, and after 2 s counts as unreadable', async () => {
  const findLatest = vi.fn(() => new Promise<LatestResult>(() => undefined))
  const finder = createLatestBackup({ findLatest, now: Date.now })
  const first = Promise.all([finder.find(), finder.find()])
  await vi.advanceTimersByTimeAsync(2000)
  expect(await first).toEqual([unreadable, unreadable])

  await vi.advanceTimersByTimeAsync(minute)
  finder.forget()
  expect(await finder.find()).toEqual(unreadable)
  expect(findLatest).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)

  const metrics = createMetrics({ hashing: { status: () => ({ waiting: 0, rejected: 0 }) } as never })
  metrics.registerBackup(async () => (await finder.find()).latest?.time ?? null, Date.now)
  expect(await metrics.render()).toContain('\nsallyport_backup_age_seconds +Inf\n')
})

test('ADM-04 the last backup is cached for 5 s from when the disk has answered', async () => {
  const answer = Promise.withResolvers<LatestResult>()
  const findLatest = vi.fn(() => answer.promise)
  const finder = createLatestBackup({ findLatest, now: Date.now })
  void finder.find()
  await vi.advanceTimersByTimeAsync(10_000)
  answer.resolve(found)
  await vi.advanceTimersByTimeAsync(4999)
  expect(await finder.find()).toEqual(found)
  expect(findLatest).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await finder.find()).toEqual(found)
  expect(findLatest).toHaveBeenCalledTimes(2)
})

test('ADM-04 a backup that ends while the folder is read is not missed', async () => {
  const outdated = Promise.withResolvers<LatestResult>()
  const findLatest = vi.fn(async () => found).mockReturnValueOnce(outdated.promise)
  const finder = createLatestBackup({ findLatest, now: Date.now })
  const pending = finder.find()
  finder.forget()
  outdated.resolve({ latest: null, isReadable: true })
  expect(await pending).toEqual(found)
})

test('ADM-04 a run that is dated in the future is ignored', async () => {
  const folder = createTestFolder()
  const now = Date.now()
  for (const time of [now - day, now + 4 * minute, now + 6 * minute, now + 30 * day]) await writeRun(folder, time)
  expect((await findLatestRun(folder, now)).latest?.time).toBe(now + 4 * minute)
  expect((await findLatestRun(folder, now - minute)).latest?.time).toBe(now + 4 * minute)
  expect((await findLatestRun(folder, now - 2 * minute)).latest?.time).toBe(now - day)
})

async function writeRun(folder: string, time: number): Promise<void> {
  const runFolder = join(folder, runNameOf(time))
  mkdirSync(runFolder)
  const manifest: Manifest = {
    format: 1,
    version: '1.0.0',
    migration: '0001',
    instance: null,
    time,
    engine: 'sqlite',
    isSealed: false,
    hasBytes: false,
    tables: {},
    parts: [],
    objects: { files: 0, objects: 0, bytes: 0 },
    skippedFiles: 0,
  }
  await writeManifest(runFolder, manifest)
}
