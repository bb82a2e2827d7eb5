import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { files } from '@sallyport/contract/files'
import { runAdmin } from '../e2e/support/admin.ts'
import type { Browser } from './devtools.ts'
import { uploadThroughPage } from './files-page.ts'
import { type Finding, judge, keep } from './findings.ts'
import { pressWhile } from './presses.ts'
import { spreadOf } from './spread.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench } from './workbench.ts'

const built = fileURLToPath(new URL('../apps/web/dist', import.meta.url))
const settleMs = 1500
const menu = 'button[aria-label="Your account"]'

/** What a person feels: how soon the landing page stands, whether it jumps, how soon a press is answered meanwhile. */
export async function watchVitals({ megabytes = 1000, rounds }: Wishes): Promise<Finding[]> {
  return onWorkbench(async ({ server, account, inBrowser, makeFile }) => {
    await runAdmin(server, 'licence', account.email, '--type', 'personal', '--storage-gb', '50')
    const file = await makeFile('large.bin', megabytes * 1e6)
    const quiet = await inBrowser(async (browser) => {
      const visits: Visit[] = []
      while (visits.length < rounds) visits.push(await visit(browser, server.url))
      return visits
    })
    // One after the other: a page behind another one is not drawn.
    const busy = await inBrowser((browser, page) =>
      during(uploadThroughPage(page, file), async (goesOn) => {
        const visits: Visit[] = []
        while (goesOn() || visits.length === 0) visits.push(await visit(browser, server.url))
        return visits
      }),
    )
    await account.call(files.removeAll, {})
    const presses = await inBrowser((_, page) =>
      during(uploadThroughPage(page, file), (goesOn) => pressWhile(page, menu, goesOn)),
    )
    keep('vitals', { quiet, busy, presses })
    const meanwhile = `during an upload of ${megabytes} MB`
    return [
      judge({
        id: 'P15',
        measure: 'scripts of the landing page, gzip',
        value: Math.max(...quiet.map(({ scriptBytes }) => scriptBytes)) / 1024,
        digits: 0,
        unit: 'KB',
        aim: { atMost: 170 },
      }),
      ...judgeVisits('landing page', quiet),
      ...judgeVisits(`landing page ${meanwhile}`, busy),
      judge({
        id: 'P15',
        measure: `press to next frame ${meanwhile}, longest of ${presses.count} presses (INP)`,
        value: Math.max(0, ...presses.delays),
        digits: 0,
        unit: 'ms',
        aim: { atMost: 150 },
      }),
    ]
  })
}

/** Does something that may go on until the transfer has ended. */
async function during<Result>(transfer: Promise<unknown>, work: (goesOn: () => boolean) => Promise<Result>) {
  let isUnderWay = true
  const ended = transfer.finally(() => {
    isUnderWay = false
  })
  const [result] = await Promise.all([work(() => isUnderWay), ended])
  return result
}

interface Visit {
  /** Largest contentful paint. */
  readonly paintMs: number
  /** Cumulative layout shift. */
  readonly shift: number
  readonly scriptBytes: number
}

/** Loads the landing page as a stranger does, with nothing cached, and lets it settle. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.openAsStranger(url)
  await page.appears('input[name=email]')
  await pause(settleMs)
  const { scripts, ...felt } = await page.run(async () => {
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
  const scriptBytes = [...new Set(scripts)].reduce((sum, path) => sum + statSync(`${built}${path}.gz`).size, 0)
  return { ...felt, scriptBytes }
}

function judgeVisits(what: string, visits: readonly Visit[]): Finding[] {
  const measure = `${what}, median of ${visits.length}`
  const median = (figure: (visit: Visit) => number) => spreadOf(visits.map(figure)).median
  return [
    judge({
      id: 'P15',
      measure: `${measure}: largest paint`,
      value: median(({ paintMs }) => paintMs) / 1000,
      unit: 's',
      aim: { atMost: 1.8 },
    }),
    judge({
      id: 'P15',
      measure: `${measure}: shift`,
      value: median(({ shift }) => shift),
      digits: 3,
      aim: { atMost: 0.02 },
    }),
  ]
}
