import { startNodes } from '../../e2e/support/server/nodes.ts'
import { alternate } from '../lib/compare.ts'
import { type Finding, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { spreadOf } from '../lib/statistics.ts'
import { warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { measurePair, sendThroughPortal, withPortal } from './portal-pages.ts'

/** Runs in a page: discards all ICE candidates of the other device. */
const blockDirectConnections = '(() => { RTCPeerConnection.prototype.addIceCandidate = async () => undefined })()'

/** Sends a file between two devices without a direct connection: through one node, and between two nodes over Redis. */
export async function measureRelay({ megabytes = 60, ...turns }: BenchOptions): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async ({ server, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    const nodes = await startNodes(2)
    const side = (name: string, url: string) => ({
      name,
      run: () =>
        withPortal(url, small, (pair) => measurePair(server.processId, pair, () => sendThroughPortal(pair, large)), {
          script: blockDirectConnections,
        }),
    })
    try {
      const runs = await alternate([side('one node', server.url), side('two nodes', nodes.url)], turns)
      saveResults('relay', { bytes, runs: Object.fromEntries(runs) })
      return [...runs].map(([name, sideRuns]) => {
        const { median, min, max } = spreadOf(sideRuns.map(({ seconds }) => bytes / 1e6 / seconds))
        const busy = spreadOf(sideRuns.map(({ othersBusy }) => othersBusy)).median
        return {
          id: '',
          measure: `relay, ${name}, ${megabytes} MB; servers and other work kept ${busy.toFixed(1)} processors busy`,
          figure: `${median.toFixed(1)} MB/s (${min.toFixed(1)} to ${max.toFixed(1)})`,
          target: '',
          isReached: null,
        }
      })
    } finally {
      await nodes.stop()
    }
  })
}
