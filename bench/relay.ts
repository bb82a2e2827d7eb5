import { startNodes } from '../e2e/support/nodes.ts'
import { alternate } from './compare.ts'
import { type Finding, keep } from './findings.ts'
import { connectPortal, portalAt, sendThroughPortal, watchPair, withPair } from './portal-pages.ts'
import { spreadOf } from './spread.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, warmUpBytes } from './workbench.ts'

/** Runs in a page: it learns no address of another device. */
const noDirectWay = '(() => { RTCPeerConnection.prototype.addIceCandidate = async () => undefined })()'

/** A file between two devices without a direct way: through one node, and from one node to another over Redis. */
export async function compareRelays({ megabytes = 60, ...turns }: Wishes): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return onWorkbench(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    const nodes = await startNodes(2)
    const side = (name: string, url: string) => ({
      name,
      run: () =>
        withPair(
          portalAt(url),
          async (pair) => {
            await connectPortal(pair)
            await sendThroughPortal(pair, small, folder)
            return watchPair(server.processId, pair, () => sendThroughPortal(pair, large, folder))
          },
          { script: noDirectWay },
        ),
    })
    try {
      const runs = await alternate([side('one node', server.url), side('two nodes', nodes.url)], turns)
      keep('relay', { bytes, runs: Object.fromEntries(runs) })
      return [...runs].map(([name, of]) => {
        const { median, least, most } = spreadOf(of.map(({ seconds }) => bytes / 1e6 / seconds))
        const busy = spreadOf(of.map(({ othersBusy }) => othersBusy)).median
        return {
          id: '',
          measure: `relay, ${name}, ${megabytes} MB; servers and other work kept ${busy.toFixed(1)} processors busy`,
          figure: `${median.toFixed(1)} MB/s (${least.toFixed(1)} to ${most.toFixed(1)})`,
          aim: '',
          isReached: null,
        }
      })
    } finally {
      await nodes.stop()
    }
  })
}
