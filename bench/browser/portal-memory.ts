import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { drawMemory, judgeMemory, sampleMemory } from '../lib/memory.ts'
import type { BenchOptions } from '../lib/options.ts'
import { largestRendererBytes } from '../lib/processes.ts'
import { warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { type InputLatency, measureInputLatency } from './input-latency.ts'
import { sendThroughPortal, withPortal } from './portal-pages.ts'

const pageLimit = 300

/** Sends one very large file through a portal, plots the memory of both pages each second, and measures the input latency of the receiver. */
export async function measurePortalMemory({ megabytes = 2000 }: BenchOptions): Promise<Finding[]> {
  return withBenchEnvironment(async ({ server, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', megabytes * 1e6)
    return withPortal(server.url, small, async (pair) => {
      const { sender, receiver } = pair
      let clicks: InputLatency = { count: 0, delays: [] }
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
          let isTransferring = true
          const transferred = sendThroughPortal(pair, large).finally(() => {
            isTransferring = false
          })
          clicks = await measureInputLatency(receiver.page, 'h1', () => isTransferring)
          return transferred
        },
      )
      const title = `${(megabytes / 1000).toFixed(1)} GB through a portal`
      drawMemory('portal', title, series)
      saveResults('portal memory', { seconds, series, clicks })
      return [
        ...judgeMemory('P8', title, { seconds, series }),
        judge({
          id: 'P15',
          measure: `${title}: input latency in the receiving page, longest of ${clicks.count} clicks (INP)`,
          value: Math.max(0, ...clicks.delays),
          decimals: 0,
          unit: 'ms',
          target: { atMost: 150 },
        }),
      ]
    })
  })
}
