import { openDelayedLink } from '../browser/delayed-link.ts'
import { measurePair, sendThroughPortal, withPair, withPortal } from '../browser/portal-pages.ts'
import { alternate } from '../lib/compare.ts'
import { type Finding, judge, notRun } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { pairDropProblem, sendThroughPairDrop, startPairDrop } from './peer-pairdrop.ts'

const peer = 'PairDrop'
const ours = 'Sallyport'

interface PairDropComparison {
  readonly name: string
  readonly measure: string
  readonly defaultMegabytes: number
  /** One-way delay of each packet in milliseconds; 0 for none. */
  readonly delayMs: number
}

/** Sends the same file from browser to browser through both applications. Each run opens two new browsers. */
export const compareWithPairDrop = (options: BenchOptions): Promise<Finding[]> =>
  compare(options, {
    name: 'Portal compared with PairDrop',
    measure: 'portal, speed ÷ PairDrop, on this machine',
    defaultMegabytes: 300,
    delayMs: 0,
  })

/** The same over a link with a round-trip time of 60 ms and no packet loss. */
export const compareWithPairDropDelayed = (options: BenchOptions): Promise<Finding[]> =>
  compare(options, {
    name: 'Portal compared with PairDrop, RTT 60 ms',
    measure: 'portal, speed ÷ PairDrop, RTT 60 ms',
    defaultMegabytes: 100,
    delayMs: 30,
  })

async function compare(
  options: BenchOptions,
  { name, measure, defaultMegabytes, delayMs }: PairDropComparison,
): Promise<Finding[]> {
  const { peerPairDrop, megabytes = defaultMegabytes, ...turns } = options
  const reason = pairDropProblem(peerPairDrop)
  if (reason !== null || peerPairDrop === undefined) return [notRun('P9', measure, reason ?? '')]
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async ({ server, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    const pairDrop = await startPairDrop(peerPairDrop)
    const link = delayMs > 0 ? openDelayedLink(delayMs) : null
    try {
      const runPairDrop = () =>
        withPair(
          pairDrop.url,
          (pair) => measurePair(pairDrop.processId, pair, () => sendThroughPairDrop(pair, large.path)),
          link,
        )
      const runSallyport = () =>
        withPortal(
          server.url,
          small,
          (pair) => measurePair(server.processId, pair, () => sendThroughPortal(pair, large)),
          link,
        )
      const runs = await alternate(
        [
          { name: peer, run: runPairDrop },
          { name: ours, run: runSallyport },
        ],
        turns,
      )
      report({ name, bytes, yardstick: peer, runs })
      const value = ratioOf({ runs, yardstick: peer }, ours, 'seconds').median
      return [judge({ id: 'P9', measure: `${measure}, ${megabytes} MB`, value, target: { atLeast: 1.5 } })]
    } finally {
      await link?.close()
      await pairDrop.stop()
    }
  })
}
