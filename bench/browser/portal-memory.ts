import { type Finding, judge, saveResults } from '../lib/findings.ts'
import { drawMemory, sampleMemory } from '../lib/memory.ts'
import type { BenchOptions } from '../lib/options.ts'
import { largestRendererBytes } from '../lib/processes.ts'
import { warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { type InputLatency, measureInputLatency } from './input-latency.ts'
import { connectPortal, portalUrl, sendThroughPortal, withPair } from './portal-pages.ts'

const pageLimit = 300

/** Sends one very large file through a portal, plots the memory of both pages each second, and measures the input latency of the receiver. */
export async function measurePortalMemory({ megabytes = 2000 }: BenchOptions): Promise<Finding[]> {
  return withBenchEnvironment(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', megabytes * 1e6)
    return withPair(portalUrl(server.url), async (pair) => {
      await connectPortal(pair)
      await sendThroughPortal(pair, small, folder)
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
          const transferred = sendThroughPortal(pair, large, folder).finally(() => {
            isTransferring = false
          })
          clicks = await measureInputLatency(receiver.page, 'h1', () => isTransferring)
          return transferred
        },
      )
      const title = `${(megabytes / 1000).toFixed(1)} GB through a portal`
      drawMemory('portal', title, series)
      saveResults('portal memory', { seconds, series, clicks })
      const memory = series.map(({ name, points }) =>
        judge({
          id: 'P8',
          measure: `${title}, ${seconds.toFixed(0)} s: ${name}`,
          value: Math.max(...points.map(([, used]) => used)),
          decimals: 0,
          unit: 'MB',
          target: { atMost: pageLimit },
        }),
      )
      return [
        ...memory,
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
