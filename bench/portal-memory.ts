import { type Finding, judge, keep } from './findings.ts'
import { drawMemory, sampleMemory } from './memory.ts'
import { connectPortal, portalAt, sendThroughPortal, withPair } from './portal-pages.ts'
import { type Presses, pressWhile } from './presses.ts'
import { largestRendererBytes } from './processes.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, warmUpBytes } from './workbench.ts'

const pageLimit = 300

/** Sends one very large file through a portal and draws what memory both pages took each second; meanwhile the receiving page is pressed. */
export async function watchPortalMemory({ megabytes = 2000 }: Wishes): Promise<Finding[]> {
  return onWorkbench(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', megabytes * 1e6)
    return withPair(portalAt(server.url), async (pair) => {
      await connectPortal(pair)
      await sendThroughPortal(pair, small, folder)
      const { sender, receiver } = pair
      let presses: Presses = { count: 0, delays: [] }
      const { seconds, series } = await sampleMemory(
        [
          {
            name: 'sending page',
            colour: '#0b6bcb',
            limit: pageLimit,
            bytes: () => largestRendererBytes(sender.browser.processId),
          },
          {
            name: 'receiving page',
            colour: '#b4490f',
            limit: pageLimit,
            bytes: () => largestRendererBytes(receiver.browser.processId),
          },
        ],
        async () => {
          let isUnderWay = true
          const passed = sendThroughPortal(pair, large, folder).finally(() => {
            isUnderWay = false
          })
          presses = await pressWhile(receiver.page, 'h1', () => isUnderWay)
          return passed
        },
      )
      const title = `${(megabytes / 1000).toFixed(1)} GB through a portal`
      drawMemory('portal', title, series)
      keep('portal memory', { seconds, series, presses })
      const memory = series.map(({ name, points }) =>
        judge({
          id: 'P8',
          measure: `${title}, ${seconds.toFixed(0)} s: ${name}`,
          value: Math.max(...points.map(([, used]) => used)),
          digits: 0,
          unit: 'MB',
          aim: { atMost: pageLimit },
        }),
      )
      return [
        ...memory,
        judge({
          id: 'P15',
          measure: `${title}: press to next frame in the receiving page, longest of ${presses.count} presses (INP)`,
          value: Math.max(0, ...presses.delays),
          digits: 0,
          unit: 'ms',
          aim: { atMost: 150 },
        }),
      ]
    })
  })
}
