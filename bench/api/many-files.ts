import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { createSweepStore } from '../../apps/server/src/modules/files/cleanup/sweep.store.ts'
import { createSweeper } from '../../apps/server/src/modules/files/cleanup/sweeper.ts'
import { openDatabase } from '../../apps/server/src/platform/db/open.ts'
import { openVolumes } from '../../apps/server/src/platform/storage/volumes.ts'
import { createAccount } from '../../e2e/support/account/account.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { startServer } from '../lib/server.ts'
import { spreadOf } from '../lib/statistics.ts'
import { expireFiles, fillWithFiles } from './copy-rows.ts'
import { measureStartup } from './startup-time.ts'

const filesPerAccount = 1000
const fewAccounts = 1
const manyAccounts = 100
const listings = 60
const sweeps = 5
const expiredPerSweep = 100

/** Compares lists, sweeps and starts with 100,000 files to those with 1,000. */
export async function measureManyFiles(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-many-'))
  try {
    const emptyStart = await measureStartup(folder)
    const fetchList = await createListFetcher(folder)
    const small = await measureCosts(folder, fewAccounts, fetchList)
    const large = await measureCosts(folder, manyAccounts, fetchList)
    const fullStart = await measureStartup(folder)
    saveResults('many-files', { small, large, emptyStart, fullStart })
    return [
      compare('listing', small.listMs, large.listMs),
      compare('sweeping', small.sweepMs, large.sweepMs),
      judgeStart('npm start to the first answer', emptyStart, 2),
      judgeStart('npm start with 100,000 files', fullStart, 3),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type FetchList = (url: string) => Promise<void>

/** Creates an account with one file; returns a function that fetches its file list. */
async function createListFetcher(dataFolder: string): Promise<FetchList> {
  const server = await startServer({ dataFolder })
  try {
    const account = await createAccount(server.url)
    await account.upload(new File(['eleven byte'], 'first.txt'), 10_080)
    return async (url) => {
      const answer = await fetch(url + files.list.path, { headers: { authorization: `Bearer ${account.accessToken}` } })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  } finally {
    await server.stop()
  }
}

interface ManyFilesTimes {
  readonly listMs: number
  readonly sweepMs: number
}

async function measureCosts(dataFolder: string, accounts: number, fetchList: FetchList): Promise<ManyFilesTimes> {
  const counts = { accounts, filesPerAccount: filesPerAccount }
  fillWithFiles(dataFolder, counts)
  const server = await startServer({ dataFolder })
  const listMs = await medianMs(listings, () => fetchList(server.url)).finally(() => server.stop())
  return { listMs, sweepMs: await timeSweeps(dataFolder) }
}

/** Measures the milliseconds of one sweep in which 100 files have expired. */
async function timeSweeps(dataFolder: string): Promise<number> {
  const { db, clock, close } = await openDatabase({
    databaseUrl: undefined,
    folder: dataFolder,
    onError: console.error,
  })
  const volumes = await openVolumes({ folders: [join(dataFolder, 'volumes', 'main')] })
  const publisher = { publishToAccount: () => undefined, publishToSession: () => undefined }
  const sweeper = createSweeper({ store: createSweepStore(db), volumes, ...publisher, now: clock.now })
  try {
    const times: number[] = []
    for (let round = 0; round < sweeps; round += 1) {
      expireFiles(dataFolder, expiredPerSweep)
      times.push(await medianMs(1, async () => void (await sweeper.run(new AbortController().signal))))
    }
    return spreadOf(times).median
  } finally {
    await close()
  }
}

async function medianMs(times: number, work: () => Promise<void>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < times; run += 1) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
  }
  return spreadOf(durations).median
}

const compare = (what: string, small: number, large: number): Finding =>
  judge({
    id: 'P13',
    measure: `${what} with 100,000 files ÷ with 1,000 (${large.toFixed(1)} ms ÷ ${small.toFixed(1)} ms)`,
    value: large / small,
    target: { atMost: 2 },
  })

const judgeStart = (measure: string, seconds: number, atMost: number): Finding =>
  judge({ id: 'P14', measure, value: seconds, unit: 's', target: { atMost } })
