import { alternate } from './compare.ts'
import { type Finding, judge, notRun } from './findings.ts'
import { sendThroughPairDrop, startPairDrop, whyNotPairDrop } from './peer-pairdrop.ts'
import { connectPortal, portalAt, sendThroughPortal, watchPair, withPair } from './portal-pages.ts'
import { ratioOf, report } from './report.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, warmUpBytes } from './workbench.ts'

const peer = 'PairDrop'
const ours = 'Sallyport'
const measure9 = 'portal, speed ÷ PairDrop, on this machine'

/** The same file from browser to browser through the pages of both. Each run has two browsers of its own. */
export async function compareWithPairDrop({ peerPairDrop, megabytes = 300, ...turns }: Wishes): Promise<Finding[]> {
  const reason = whyNotPairDrop(peerPairDrop)
  if (reason !== null || peerPairDrop === undefined) return [notRun('P9', measure9, reason ?? '')]
  const bytes = megabytes * 1e6
  return onWorkbench(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    const pairDrop = await startPairDrop(peerPairDrop)
    try {
      const theirs = () =>
        withPair(pairDrop.url, (pair) =>
          watchPair(pairDrop.processId, pair, () => sendThroughPairDrop(pair, large.path)),
        )
      const own = () =>
        withPair(portalAt(server.url), async (pair) => {
          await connectPortal(pair)
          await sendThroughPortal(pair, small, folder)
          return watchPair(server.processId, pair, () => sendThroughPortal(pair, large, folder))
        })
      const runs = await alternate(
        [
          { name: peer, run: theirs },
          { name: ours, run: own },
        ],
        turns,
      )
      report({ name: 'Portal beside PairDrop', bytes, yardstick: peer, runs })
      const value = ratioOf({ runs, yardstick: peer }, ours, 'seconds').median
      return [judge({ id: 'P9', measure: `${measure9}, ${megabytes} MB`, value, aim: { atLeast: 1.5 } })]
    } finally {
      await pairDrop.stop()
    }
  })
}
