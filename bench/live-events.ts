import { files } from '@sallyport/contract/files'
import { type Finding, judge, keep } from './findings.ts'
import { percentile, spreadOf } from './spread.ts'
import { onWorkbench } from './workbench.ts'

const events = 40

/** From asking for a file's removal on one device until its row is gone from an open page of another. */
export async function timeLiveEvents(): Promise<Finding[]> {
  return onWorkbench(({ account, inBrowser }) =>
    inBrowser(async (_, page) => {
      const times: number[] = []
      for (let event = 0; event < events; event += 1) {
        const name = `event-${event}.txt`
        const id = await account.upload(new File(['eleven byte'], name))
        const row = `.file-row [title="${name}"]`
        await page.appears(row)
        const gone = page.disappears(row)
        const startedAt = performance.now()
        await account.call(files.remove, { params: { id } })
        await gone
        times.push(performance.now() - startedAt)
      }
      keep('live-events', { times })
      return [
        judge({
          id: 'P11',
          measure: `a change until another open page shows it, median (p99 ${percentile(times, 0.99).toFixed(0)} ms)`,
          value: spreadOf(times).median,
          digits: 0,
          unit: 'ms',
          aim: { atMost: 100 },
        }),
      ]
    }),
  )
}
