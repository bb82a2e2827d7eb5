import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { files } from '@sallyport/contract/files'
import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import { type Browser, download, type Page } from '../lib/devtools.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { startNodeServer } from '../lib/node-server.ts'
import type { BenchOptions } from '../lib/options.ts'
import { cpuSecondsOfRenderers, largestRendererBytes, watchPeak } from '../lib/processes.ts'
import { spreadOf } from '../lib/statistics.ts'
import { type BenchEnvironment, withBenchEnvironment } from '../lib/workbench.ts'
import { filePicker } from './files-page.ts'
import { measureInputLatency } from './input-latency.ts'

const bareServer = fileURLToPath(new URL('../api/bare-server.ts', import.meta.url))
const fileBytes = 10_000
const menu = 'button[aria-label="Your account"]'
const formPicker = '#form'
const pollMs = 100
/** An upload that has not ended after this many seconds is measured as far as it came. */
const maxSeconds = 600

/** The larger number shows costs that grow with the list. */
const defaultFileCounts = [2000, 10_000]
const hundred = 100

/**
 * Uploads many small files through the page, and with one multi-file form to a minimal server for comparison; then
 * downloads all of them as one archive.
 */
export async function compareSmallFiles({ fileCount, rounds }: BenchOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const count of fileCount === undefined ? defaultFileCounts : [fileCount])
    findings.push(...(await compareFiles(count, rounds)))
  return findings
}

async function compareFiles(fileCount: number, rounds: number): Promise<Finding[]> {
  return withBenchEnvironment(async (workbench) => {
    const chosen: RandomFile[] = []
    for (let index = 0; index < fileCount; index += 1)
      chosen.push(await workbench.makeFile(`small-${String(index).padStart(5, '0')}.bin`, fileBytes))
    const bare = await startNodeServer({ args: [bareServer, workbench.folder] })
    const runs: SmallFilesRun[] = []
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const formSeconds = await postForm(workbench, bare.url, chosen)
        const run = { formSeconds, ...(await measurePage(workbench, chosen)) }
        process.stderr.write(`  round ${round}: ${JSON.stringify(run)}\n`)
        runs.push(run)
      }
    } finally {
      await bare.stop()
    }
    saveResults(`small-files-${fileCount}`, { fileCount, fileBytes, runs })
    return judgeRuns(runs, fileCount)
  })
}

interface SmallFilesRun extends PageRun {
  /** One POST of all files as a multipart form to a minimal server. */
  readonly formSeconds: number
}

interface PageRun extends UploadRun {
  /** Files per second among the first and among the last hundred that were stored. */
  readonly firstSpeed: number
  readonly lastSpeed: number
  /** Not a number where not all files were uploaded. */
  readonly archiveSeconds: number
}

interface UploadRun {
  readonly uploadedFiles: number
  readonly seconds: number
  readonly rendererMsPerFile: number
  /** Requests of the page itself; each file has one more, which a worker sends. */
  readonly requestsPer100Files: Readonly<Record<string, number>>
  readonly interactionMs: number
  /** The longest task of the main thread or event of the page; 0 if none took 50 ms. */
  readonly longestTaskMs: number
  /** The largest renderer before the upload and at its peak. */
  readonly rendererBytes: number
  readonly rendererPeakBytes: number
}

/** Posts all files as one form from a page of the minimal server; resolves to the seconds. */
function postForm({ inBrowser }: BenchEnvironment, url: string, chosen: readonly RandomFile[]): Promise<number> {
  return inBrowser(async (browser) => {
    const page = await browser.open(url)
    await page.run((picker) => {
      const input = { type: 'file', id: picker.slice(1), name: 'files', multiple: true }
      document.body.append(Object.assign(document.createElement('input'), input))
    }, formPicker)
    await chooseAll(page, formPicker, chosen)
    return page.run(async (picker) => {
      const body = new FormData()
      for (const file of document.querySelector<HTMLInputElement>(picker)?.files ?? []) body.append('files', file)
      const startedAt = performance.now()
      const response = await fetch('/', { method: 'POST', body })
      if (!response.ok) throw new Error(String(response.status))
      return (performance.now() - startedAt) / 1000
    }, formPicker)
  })
}

const chooseAll = (page: Page, picker: string, chosen: readonly RandomFile[]): Promise<void> =>
  page.chooseFiles(
    picker,
    chosen.map(({ path }) => path),
  )

/** Each run opens a new browser, which uploads one file first to load the code of the workers. */
async function measurePage(workbench: BenchEnvironment, chosen: readonly RandomFile[]): Promise<PageRun> {
  const { account, inBrowser, makeFile } = workbench
  const run = await inBrowser(async (browser, page) => {
    await chooseAll(page, filePicker, [await makeFile('warm-up.bin', fileBytes)])
    await waitForFiles(page, 1)
    await account.call(files.removeAll, {})
    await page.waitUntilGone('.file-row')
    const upload = await measureUpload(browser, page, chosen)
    const listed = await account.call(files.list, {})
    const isComplete = upload.uploadedFiles === chosen.length
    if (isComplete && listed.files.length !== chosen.length) throw new Error(`${listed.files.length} files were stored`)
    const speeds = isComplete ? compareEnds(listed.files) : { firstSpeed: Number.NaN, lastSpeed: Number.NaN }
    return {
      ...upload,
      ...speeds,
      archiveSeconds: isComplete ? await downloadAll(browser, page, chosen.length) : Number.NaN,
    }
  })
  await account.call(files.removeAll, {})
  return run
}

/** Compares the times at which the server stored the first and the last hundred files. */
function compareEnds(listed: readonly { readonly createdAt: number }[]) {
  const times = listed.map(({ createdAt }) => createdAt).sort((one, other) => one - other)
  const speedOf = (part: readonly number[]) => ((part.length - 1) * 1000) / ((part.at(-1) ?? 0) - (part[0] ?? 0))
  return { firstSpeed: speedOf(times.slice(0, hundred)), lastSpeed: speedOf(times.slice(-hundred)) }
}

async function measureUpload(browser: Browser, page: Page, chosen: readonly RandomFile[]): Promise<UploadRun> {
  const measureBytes = () => largestRendererBytes(browser.processId)
  const rendererBytes = measureBytes()
  let isRunning = true
  await page.run(() => {
    const recorded = { chosenAt: 0, tasks: [] as PerformanceEntry[] }
    Object.assign(window, { benchTasks: recorded })
    const onChange = () => {
      recorded.chosenAt = performance.now()
    }
    document.addEventListener('change', onChange, { capture: true, once: true })
    new PerformanceObserver((list) => recorded.tasks.push(...list.getEntries())).observe({ type: 'longtask' })
    performance.clearResourceTimings()
    performance.setResourceTimingBufferSize(100_000)
  })
  const cpuBefore = cpuSecondsOfRenderers(browser.processId)
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  const stopWatching = watchPeak(measureBytes)
  await chooseAll(page, filePicker, chosen)
  const clicking = measureInputLatency(page, menu, () => isRunning)
  let uploadedFiles = 0
  while (uploadedFiles < chosen.length && elapsed() < maxSeconds) {
    await pause(pollMs)
    uploadedFiles = await countFiles(page)
  }
  const seconds = elapsed()
  const rendererSeconds = cpuSecondsOfRenderers(browser.processId) - cpuBefore
  isRunning = false
  const { count, delays } = await clicking
  const longTasks = await page.run(() => {
    const { chosenAt, tasks } = (window as unknown as { benchTasks: { chosenAt: number; tasks: PerformanceEntry[] } })
      .benchTasks
    // The browser creates the list of files in the task in which the page is notified, which is none of its work.
    return tasks.map(({ startTime, duration }) => startTime + duration - Math.max(startTime, chosenAt))
  })
  return {
    uploadedFiles,
    seconds,
    rendererMsPerFile: (rendererSeconds * 1000) / uploadedFiles,
    requestsPer100Files: await countRequests(page, uploadedFiles),
    interactionMs: interactionToNextPaint(count, delays),
    longestTaskMs: Math.max(0, ...longTasks, ...delays),
    rendererBytes,
    rendererPeakBytes: stopWatching(),
  }
}

/** The count that the heading of the list shows. */
const countFiles = (page: Page): Promise<number> =>
  page.run(() => {
    const heading = [...document.querySelectorAll('main h2')].find(({ textContent }) => textContent === 'Your Files')
    return Number(heading?.nextElementSibling?.textContent?.replace(/\D/g, '') ?? 0)
  })

async function waitForFiles(page: Page, count: number): Promise<void> {
  while ((await countFiles(page)) < count) await pause(pollMs)
}

/** Counts the requests of the page by path, per 100 files. */
async function countRequests(page: Page, fileCount: number): Promise<Record<string, number>> {
  const urls = await page.run(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const counts: Record<string, number> = {}
  for (const url of urls) {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/api/')) counts[pathname] = (counts[pathname] ?? 0) + 100 / fileCount
  }
  return counts
}

/** Interaction to next paint: the longest delay, without one outlier for every 50 interactions. */
function interactionToNextPaint(count: number, delays: readonly number[]): number {
  const longestFirst = delays.toSorted((one, other) => other - one)
  return longestFirst[Math.floor(count / 50)] ?? 0
}

/** Clicks Download All; resolves to the seconds until the complete archive is in the downloads. */
async function downloadAll(browser: Browser, page: Page, fileCount: number): Promise<number> {
  const { path, seconds } = await download(browser, () =>
    page.run(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
      buttons.find(({ textContent }) => textContent === 'Download All')?.click()
    }),
  )
  const entries = await countEntries(path)
  if (entries !== fileCount) throw new Error(`The archive has ${entries} files`)
  return seconds
}

const endRecordBytes = 22
const entryCountOffset = 10

/** Reads how many entries a ZIP file without a comment has. */
async function countEntries(path: string): Promise<number> {
  const archive = await open(path)
  try {
    const record = Buffer.alloc(endRecordBytes)
    await archive.read(record, 0, endRecordBytes, statSync(path).size - endRecordBytes)
    return record.readUInt16LE(entryCountOffset)
  } finally {
    await archive.close()
  }
}

function judgeRuns(runs: readonly SmallFilesRun[], fileCount: number): Finding[] {
  const median = (figure: (run: SmallFilesRun) => number) => spreadOf(runs.map(figure)).median
  const of = `${fileCount} files of ${fileBytes / 1000} KB`
  const speed = (run: SmallFilesRun) => run.uploadedFiles / run.seconds
  const formSpeed = median(({ formSeconds }) => fileCount / formSeconds)
  return [
    judge({
      id: 'P16',
      measure: `upload of ${of}, renderer CPU time per file`,
      value: median(({ rendererMsPerFile }) => rendererMsPerFile),
      decimals: 1,
      unit: 'ms',
      target: { atMost: 15 },
    }),
    judge({
      id: 'P16',
      measure: `upload of ${of} (one plain form: ${formSpeed.toFixed(0)} files/s, ratio ${(median(speed) / formSpeed).toFixed(3)})`,
      value: median(speed),
      decimals: 0,
      unit: 'files/s',
      target: { atLeast: 60 },
    }),
    judge({
      id: 'P16',
      measure: 'requests of the page itself per 100 files',
      value: median(({ requestsPer100Files }) =>
        Object.values(requestsPer100Files).reduce((sum, count) => sum + count, 0),
      ),
      decimals: 1,
      target: { atMost: 10 },
    }),
    judge({
      id: 'P16',
      measure: `input latency during an upload of ${of} (INP)`,
      value: median(({ interactionMs }) => interactionMs),
      decimals: 0,
      unit: 'ms',
      target: { atMost: 200 },
    }),
    judge({
      id: 'P16',
      measure: `longest task or event of the main thread during an upload of ${of}`,
      value: Math.max(...runs.map(({ longestTaskMs }) => longestTaskMs)),
      decimals: 0,
      unit: 'ms',
      target: { atMost: 200 },
    }),
    judge({
      id: 'P16',
      measure: `upload of ${of}, speed of the last hundred ÷ first hundred`,
      value: median(({ firstSpeed, lastSpeed }) => lastSpeed / firstSpeed),
      target: { atLeast: 0.8 },
    }),
    judge({
      id: 'P16',
      measure: `largest renderer during an upload of ${of}, peak`,
      value: Math.max(...runs.map(({ rendererPeakBytes }) => rendererPeakBytes)) / 1e6,
      decimals: 0,
      unit: 'MB',
      target: { atMost: 256 },
    }),
    judge({
      id: 'P16',
      measure: `Download All of ${of}`,
      value: median(({ uploadedFiles, archiveSeconds }) => uploadedFiles / archiveSeconds),
      decimals: 0,
      unit: 'files/s',
      target: { atLeast: 300 },
    }),
  ]
}
