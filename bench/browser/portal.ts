import { alternate, type Run } from '../lib/compare.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { ratioOf, report } from '../lib/report.ts'
import { spreadOf } from '../lib/statistics.ts'
import { warmUpBytes, withBenchEnvironment } from '../lib/workbench.ts'
import { sendBare, sendPaced } from './bare-channel.ts'
import { measurePair, sendThroughPortal, withPortal } from './portal-pages.ts'

const kilobyte = 1024
const subject = 'portal'
/** The fastest message size depends on the machine; the portal is compared with the fastest of these. */
const bareSizes = [64, 255]
const bareWindowBytes = 512 * kilobyte
const bareName = (size: number): string => `bare channel, ${size} KiB`
/** The specification's pacing of files of more than 50 MB; these bytes are enough to measure its speed. */
const pacing = { bytes: 2_000_000, messageBytes: 8 * kilobyte, delayMs: 15 }

/** Compares a file transfer through a portal with a bare data channel that carries the same number of bytes. */
export async function comparePortal({ megabytes = 300, ...turns }: BenchOptions): Promise<Finding[]> {
  const bytes = megabytes * 1e6
  return withBenchEnvironment(async ({ server, makeFile }) => {
    const small = await makeFile('small.bin', warmUpBytes)
    const large = await makeFile('large.bin', bytes)
    return withPortal(server.url, small, async (pair) => {
      const side = (name: string, transfer: () => Promise<number>) => ({
        name,
        run: () => measurePair(server.processId, pair, transfer),
      })
      const bare = bareSizes.map((size) =>
        side(bareName(size), () =>
          sendBare(pair, { bytes, messageBytes: size * kilobyte, windowBytes: bareWindowBytes }),
        ),
      )
      const runs = await alternate([...bare, side(subject, () => sendThroughPortal(pair, large))], turns)
      const pacedSeconds = await sendPaced(pair, pacing)
      const yardstick = fastestOf(runs, bareSizes.map(bareName))
      report({ name: 'Portal', bytes, yardstick, runs })
      const pacedSpeed = pacing.bytes / pacedSeconds
      const speed = bytes / spreadOf((runs.get(subject) ?? []).map(({ seconds }) => seconds)).median
      saveResults('portal paced', { ...pacing, pacedSeconds, pacedSpeed, speed })
      return [
        judge({
          id: 'P8',
          measure: `portal, ${megabytes} MB, until saved ÷ ${yardstick}`,
          value: ratioOf({ runs, yardstick }, subject, 'seconds').median,
          target: { atLeast: 0.9 },
        }),
        judge({
          id: 'P8',
          measure: `portal ÷ the specification's pacing (${(pacedSpeed / 1e6).toFixed(2)} MB/s, measured on ${pacing.bytes / 1e6} MB)`,
          value: speed / pacedSpeed,
          decimals: 0,
          target: { atLeast: 20 },
        }),
      ]
    })
  })
}

function fastestOf(runs: ReadonlyMap<string, readonly Run[]>, names: readonly string[]): string {
  const median = (name: string) => spreadOf((runs.get(name) ?? []).map(({ seconds }) => seconds)).median
  return names.toSorted((one, other) => median(one) - median(other))[0] ?? ''
}
