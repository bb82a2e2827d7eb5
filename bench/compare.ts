import { cpuSeconds, largestRendererBytes, residentBytes, watchPeak } from './processes.ts'
import type { Stage } from './stage.ts'

/** One way of doing the job; every run of it moves the same number of bytes. */
export interface Side {
  readonly name: string
  run(): Promise<void>
  /** Puts things back as they were, outside the time that counts. */
  afterwards(): Promise<void>
}

interface Run {
  readonly seconds: number
  readonly serverCpuSeconds: number
  readonly serverPeakBytes: number
  readonly rendererPeakBytes: number
}

interface Comparison {
  readonly title: string
  readonly byteCount: number
  readonly rounds: number
  readonly sides: readonly [Side, ...Side[]]
}

const gigabyte = 1e9
const megabyte = 1e6

/** Runs the sides in turn, once to warm up and then so many rounds, and prints each with its ratio to the first. */
export async function compare(stage: Stage, { title, byteCount, rounds, sides }: Comparison): Promise<void> {
  const runs = new Map<Side, Run[]>(sides.map((side) => [side, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of sides) {
      const run = await measure(stage, side)
      if (round > 0) runs.get(side)?.push(run)
      process.stderr.write(`${title}, round ${round || 'warm-up'}: ${side.name} ${run.seconds.toFixed(1)} s\n`)
    }
  }

  console.log(`\n${title}: ${(byteCount / megabyte).toFixed(0)} MB, ${rounds} rounds in turn\n`)
  console.log('| way | MB/s | ratio to the first | server CPU s/GB | server peak MB | renderer peak MB |')
  console.log('|---|---|---|---|---|---|')
  const yardstick = runs.get(sides[0]) ?? []
  for (const [side, done] of runs) {
    const cells = [
      side.name,
      spread(
        done.map((run) => byteCount / run.seconds / megabyte),
        0,
      ),
      spread(
        done.map((run, round) => (yardstick[round]?.seconds ?? run.seconds) / run.seconds),
        2,
      ),
      spread(
        done.map((run) => (run.serverCpuSeconds / byteCount) * gigabyte),
        2,
      ),
      Math.max(...done.map((run) => run.serverPeakBytes / megabyte)).toFixed(0),
      Math.max(...done.map((run) => run.rendererPeakBytes / megabyte)).toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function measure({ serverId, browser }: Stage, side: Side): Promise<Run> {
  const serverPeak = watchPeak(() => residentBytes(serverId))
  const rendererPeak = watchPeak(() => largestRendererBytes(browser.processId))
  const cpuBefore = cpuSeconds(serverId)
  const started = performance.now()
  await side.run()
  const seconds = (performance.now() - started) / 1000
  const run = {
    seconds,
    serverCpuSeconds: cpuSeconds(serverId) - cpuBefore,
    serverPeakBytes: serverPeak(),
    rendererPeakBytes: rendererPeak(),
  }
  await side.afterwards()
  return run
}

/** Median, with the lowest and the highest. */
function spread(figures: readonly number[], decimals: number): string {
  const sorted = figures.toSorted((a, b) => a - b)
  const [lowest = 0, highest = 0] = [sorted.at(0), sorted.at(-1)]
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `${median.toFixed(decimals)} [${lowest.toFixed(decimals)}–${highest.toFixed(decimals)}]`
}
