import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { files } from '@sallyport/contract/files'
import { runAdmin } from '../../e2e/support/account/admin.ts'
import type { Browser } from '../lib/devtools.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { spreadOf } from '../lib/statistics.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'
import { uploadThroughPage } from './files-page.ts'
import { measureInputLatency } from './input-latency.ts'

const distFolder = fileURLToPath(new URL('../../apps/web/dist', import.meta.url))
const idleMs = 1500
const menu = 'button[aria-label="Your account"]'

/** Measures web vitals: largest contentful paint and layout shift of the landing page, and input latency during an upload. */
export async function measureWebVitals({ megabytes = 1000, rounds }: BenchOptions): Promise<Finding[]> {
  return withBenchEnvironment(async ({ server, account, inBrowser, makeFile }) => {
    await runAdmin(server, 'licence', account.email, '--type', 'personal', '--storage-gb', '50')
    const file = await makeFile('large.bin', megabytes * 1e6)
    const idleVisits = await inBrowser(async (browser) => {
      const visits: PageVisit[] = []
      while (visits.length < rounds) visits.push(await loadLandingPage(browser, server.url))
      return visits
    })
    // Visits run one after the other: the browser does not paint a hidden page.
    const busyVisits = await inBrowser((browser, page) =>
      during(uploadThroughPage(page, file), async (goesOn) => {
        const visits: PageVisit[] = []
        while (goesOn() || visits.length === 0) visits.push(await loadLandingPage(browser, server.url))
        return visits
      }),
    )
    await account.call(files.removeAll, {})
    const clicks = await inBrowser((_, page) =>
      during(uploadThroughPage(page, file), (goesOn) => measureInputLatency(page, menu, goesOn)),
    )
    saveResults('vitals', { idleVisits, busyVisits, clicks })
    const condition = `during an upload of ${megabytes} MB`
    return [
      judge({
        id: 'P15',
        measure: 'scripts of the landing page, gzip',
        value: Math.max(...idleVisits.map(({ scriptBytes }) => scriptBytes)) / 1024,
        decimals: 0,
        unit: 'KB',
        target: { atMost: 170 },
      }),
      ...judgeVisits('landing page', idleVisits),
      ...judgeVisits(`landing page ${condition}`, busyVisits),
      judge({
        id: 'P15',
        measure: `input latency ${condition}, longest of ${clicks.count} clicks (INP)`,
        value: Math.max(0, ...clicks.delays),
        decimals: 0,
        unit: 'ms',
        target: { atMost: 150 },
      }),
    ]
  })
}

/** Runs the work while a transfer is in progress. */
async function during<Result>(transfer: Promise<unknown>, work: (isRunning: () => boolean) => Promise<Result>) {
  let isTransferring = true
  const completed = transfer.finally(() => {
    isTransferring = false
  })
  const [result] = await Promise.all([work(() => isTransferring), completed])
  return result
}

interface PageVisit {
  /** Largest contentful paint. */
  readonly paintMs: number
  /** Cumulative layout shift. */
  readonly shift: number
  readonly scriptBytes: number
}

/** Loads the landing page in a new browser context with an empty cache, and waits until it is idle. */
async function loadLandingPage(browser: Browser, url: string): Promise<PageVisit> {
  const page = await browser.openInNewContext(url)
  await page.waitForSelector('input[name=email]')
  await pause(idleMs)
  const { scripts, ...vitals } = await page.run(async () => {
    const entriesOf = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect()
          resolve(list.getEntries())
        }).observe({ type, buffered: true })
        setTimeout(() => resolve([]), 200)
      })
    const shifts = (await entriesOf('layout-shift')) as (PerformanceEntry & { value: number })[]
    const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    return {
      paintMs: (await entriesOf('largest-contentful-paint')).at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
      scripts: names.filter((name) => name.endsWith('.js')),
    }
  })
  const scriptBytes = [...new Set(scripts)].reduce((sum, path) => sum + statSync(`${distFolder}${path}.gz`).size, 0)
  return { ...vitals, scriptBytes }
}

function judgeVisits(what: string, visits: readonly PageVisit[]): Finding[] {
  const measure = `${what}, median of ${visits.length}`
  const median = (figure: (visit: PageVisit) => number) => spreadOf(visits.map(figure)).median
  return [
    judge({
      id: 'P15',
      measure: `${measure}: largest paint`,
      value: median(({ paintMs }) => paintMs) / 1000,
      unit: 's',
      target: { atMost: 1.8 },
    }),
    judge({
      id: 'P15',
      measure: `${measure}: shift`,
      value: median(({ shift }) => shift),
      decimals: 3,
      target: { atMost: 0.02 },
    }),
  ]
}
