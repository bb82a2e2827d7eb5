import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@sallyport/contract/files'
import { openVolumes } from '../apps/server/src/blobs/volumes.ts'
import { openDatabase } from '../apps/server/src/db/open.ts'
import { createSweeper } from '../apps/server/src/jobs/sweeper.ts'
import { createSweepingStore } from '../apps/server/src/jobs/sweeping.store.ts'
import { createAccount } from '../e2e/support/account.ts'
import { type Finding, judge, keep } from './findings.ts'
import { expireFiles, fillWithFiles } from './many-rows.ts'
import { startServer } from './server.ts'
import { spreadOf } from './spread.ts'
import { timeStarts } from './starting.ts'

const filesPerAccount = 1000
const few = 1
const many = 100
const listings = 60
const sweeps = 5
const expiredAtOnce = 100

/** What lists, sweeps and starts cost with 100,000 files, against 1,000. */
export async function holdManyFiles(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-many-'))
  try {
    const emptyStart = await timeStarts(folder)
    const list = await listerOn(folder)
    const small = await costs(folder, few, list)
    const large = await costs(folder, many, list)
    const fullStart = await timeStarts(folder)
    keep('many-files', { small, large, emptyStart, fullStart })
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

type List = (url: string) => Promise<void>

/** An account with one file, and how its list is asked for. */
async function listerOn(dataFolder: string): Promise<List> {
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

interface Costs {
  readonly listMs: number
  readonly sweepMs: number
}

async function costs(dataFolder: string, accounts: number, list: List): Promise<Costs> {
  const wanted = { accounts, filesPerAccount: filesPerAccount }
  fillWithFiles(dataFolder, wanted)
  const server = await startServer({ dataFolder })
  const listMs = await medianMs(listings, () => list(server.url)).finally(() => server.stop())
  return { listMs, sweepMs: await timeSweeps(dataFolder) }
}

/** Milliseconds of one round of the real sweeper in which a hundred files have expired. */
async function timeSweeps(dataFolder: string): Promise<number> {
  const { db, now, close } = await openDatabase({ databaseUrl: undefined, folder: dataFolder, onError: console.error })
  const volumes = await openVolumes({ folders: [join(dataFolder, 'volumes', 'main')] })
  const log = { info: () => undefined, error: console.error }
  const told = { announce: () => undefined, announceToSession: () => undefined }
  const sweeper = createSweeper({ store: createSweepingStore(db), volumes, ...told, now, log })
  try {
    const times: number[] = []
    for (let round = 0; round < sweeps; round += 1) {
      expireFiles(dataFolder, expiredAtOnce)
      times.push(await medianMs(1, () => sweeper.run(new AbortController().signal)))
    }
    return spreadOf(times).median
  } finally {
    await close()
  }
}

async function medianMs(times: number, work: () => Promise<void>): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now()
    await work()
    taken.push(performance.now() - startedAt)
  }
  return spreadOf(taken).median
}

const compare = (what: string, small: number, large: number): Finding =>
  judge({
    id: 'P13',
    measure: `${what} with 100,000 files ÷ with 1,000 (${large.toFixed(1)} ms ÷ ${small.toFixed(1)} ms)`,
    value: large / small,
    aim: { atMost: 2 },
  })

const judgeStart = (measure: string, seconds: number, atMost: number): Finding =>
  judge({ id: 'P14', measure, value: seconds, unit: 's', aim: { atMost } })
