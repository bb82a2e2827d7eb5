import { files } from '@sallyport/contract/files'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { percentile, spreadOf } from '../lib/statistics.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'

const eventCount = 40

/** Measures the time from deleting a file on one device until its row disappears from another device's page. */
export async function measureLiveEvents(): Promise<Finding[]> {
  return withBenchEnvironment(({ account, inBrowser }) =>
    inBrowser(async (_, page) => {
      const times: number[] = []
      for (let event = 0; event < eventCount; event += 1) {
        const name = `event-${event}.txt`
        const id = await account.upload(new File(['eleven byte'], name))
        const row = `.file-row [title="${name}"]`
        await page.waitForSelector(row)
        const disappeared = page.waitUntilGone(row)
        const startedAt = performance.now()
        await account.call(files.remove, { params: { id } })
        await disappeared
        times.push(performance.now() - startedAt)
      }
      saveResults('live-events', { times })
      return [
        judge({
          id: 'P11',
          measure: `change visible on another open page, median (p99 ${percentile(times, 0.99).toFixed(0)} ms)`,
          value: spreadOf(times).median,
          decimals: 0,
          unit: 'ms',
          target: { atMost: 100 },
        }),
      ]
    }),
  )
}
