import { alternate } from './compare.ts'
import { openFarLine } from './far-line.ts'
import { type Finding, judge, notRun } from './findings.ts'
import { sendThroughPairDrop, startPairDrop, whyNotPairDrop } from './peer-pairdrop.ts'
import { connectPortal, portalAt, sendThroughPortal, watchPair, withPair } from './portal-pages.ts'
import { ratioOf, report } from './report.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, warmUpBytes } from './workbench.ts'

const peer = 'PairDrop'
const ours = 'Sallyport'

interface Setting {
  readonly name: string
  readonly measure: string
  readonly usualMegabytes: number
  /** How long a packet takes from one browser to the other, where it is held back. */
  readonly delayMs: number
}

/** The same file from browser to browser through the pages of both. Each run has two browsers of its own. */
export const compareWithPairDrop = (wishes: Wishes): Promise<Finding[]> =>
  compare(wishes, {
    name: 'Portal beside PairDrop',
    measure: 'portal, speed ÷ PairDrop, on this machine',
    usualMegabytes: 300,
    delayMs: 0,
  })

/** The same over a line on which nothing is lost and every answer takes 60 ms. */
export const compareWithPairDropFar = (wishes: Wishes): Promise<Finding[]> =>
  compare(wishes, {
    name: 'Portal beside PairDrop, 60 ms away',
    measure: 'portal, speed ÷ PairDrop, on a line of 60 ms',
    usualMegabytes: 100,
    delayMs: 30,
  })

async function compare(wishes: Wishes, { name, measure, usualMegabytes, delayMs }: Setting): Promise<Finding[]> {
  const { peerPairDrop, megabytes = usualMegabytes, ...turns } = wishes
  const reason = whyNotPairDrop(peerPairDrop)
  if (reason !== null || peerPairDrop === undefined) return [notRun('P9', measure, reason ?? '')]
  const bytes = megabytes * 1e6
  return onWorkbench(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    const pairDrop = await startPairDrop(peerPairDrop)
    const line = delayMs > 0 ? openFarLine(delayMs) : null
    try {
      const theirs = () =>
        withPair(
          pairDrop.url,
          (pair) => watchPair(pairDrop.processId, pair, () => sendThroughPairDrop(pair, large.path)),
          line,
        )
      const own = () =>
        withPair(
          portalAt(server.url),
          async (pair) => {
            await connectPortal(pair)
            await sendThroughPortal(pair, small, folder)
            return watchPair(server.processId, pair, () => sendThroughPortal(pair, large, folder))
          },
          line,
        )
      const runs = await alternate(
        [
          { name: peer, run: theirs },
          { name: ours, run: own },
        ],
        turns,
      )
      report({ name, bytes, yardstick: peer, runs })
      const value = ratioOf({ runs, yardstick: peer }, ours, 'seconds').median
      return [judge({ id: 'P9', measure: `${measure}, ${megabytes} MB`, value, aim: { atLeast: 1.5 } })]
    } finally {
      await line?.close()
      await pairDrop.stop()
    }
  })
}
