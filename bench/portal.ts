import { sendBare, sendPaced } from './bare-channel.ts'
import { alternate, type Run } from './compare.ts'
import { type Finding, judge, keep } from './findings.ts'
import { connectPortal, portalAt, sendThroughPortal, watchPair, withPair } from './portal-pages.ts'
import { ratioOf, report } from './report.ts'
import { spreadOf } from './spread.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench, warmUpBytes } from './workbench.ts'

const kilobyte = 1024
const ours = 'portal'
/** What a channel does best with differs with the machine; the portal is held against the best of these. */
const bareSizes = [64, 255]
const bareWindowBytes = 512 * kilobyte
const bareName = (size: number): string => `bare channel, ${size} KiB`
/** How the specification has files of more than 50 MB sent; so many bytes are enough to see its speed. */
const paced = { bytes: 2_000_000, messageBytes: 8 * kilobyte, delayMs: 15 }

/** A file through a portal, sealed, checked and kept, against a data channel that carries as many bytes of nothing. */
export async function comparePortal({ megabytes = 300, ...turns }: Wishes): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return onWorkbench(async ({ server, folder, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    return withPair(portalAt(server.url), async (pair) => {
      await connectPortal(pair)
      await sendThroughPortal(pair, small, folder)
      const side = (name: string, transfer: () => Promise<number>) => ({
        name,
        run: () => watchPair(server.processId, pair, transfer),
      })
      const bare = bareSizes.map((size) =>
        side(bareName(size), () =>
          sendBare(pair, { bytes, messageBytes: size * kilobyte, windowBytes: bareWindowBytes }),
        ),
      )
      const runs = await alternate([...bare, side(ours, () => sendThroughPortal(pair, large, folder))], turns)
      const pacedSeconds = await sendPaced(pair, paced)
      const yardstick = fastestOf(runs, bareSizes.map(bareName))
      report({ name: 'Portal', bytes, yardstick, runs })
      const pacedSpeed = paced.bytes / pacedSeconds
      const speed = bytes / spreadOf((runs.get(ours) ?? []).map(({ seconds }) => seconds)).median
      keep('portal paced', { ...paced, pacedSeconds, pacedSpeed, speed })
      return [
        judge({
          id: 'P8',
          measure: `portal, ${megabytes} MB, until it is kept ÷ ${yardstick}`,
          value: ratioOf({ runs, yardstick }, ours, 'seconds').median,
          aim: { atLeast: 0.9 },
        }),
        judge({
          id: 'P8',
          measure: `portal ÷ the specification's pacing (${(pacedSpeed / 1e6).toFixed(2)} MB/s, seen on ${paced.bytes / 1e6} MB)`,
          value: speed / pacedSpeed,
          digits: 0,
          aim: { atLeast: 20 },
        }),
      ]
    })
  })
}

function fastestOf(runs: ReadonlyMap<string, readonly Run[]>, names: readonly string[]): string {
  const median = (name: string) => spreadOf((runs.get(name) ?? []).map(({ seconds }) => seconds)).median
  return names.toSorted((one, other) => median(one) - median(other))[0] ?? ''
}
