import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPlainFile } from '../browser/plain-upload.ts'
import { type Finding, judge, saveResults } from '../lib/findings.ts'
import type { BenchOptions } from '../lib/options.ts'
import { cpuSeconds } from '../lib/processes.ts'
import { percentile, spreadOf } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { TickTimes } from '../lib/tick-watch.ts'
import { withBenchEnvironment } from '../lib/workbench.ts'
import type { LatencyProbeInput } from './latency-probe.ts'
import { bareServerTarget, type LatencyTarget, sallyportTarget } from './latency-targets.ts'

const concurrency = 10
/** Ten of these files have to fit into the account's quota at once. */
const maxFileBytes = 50e6
const questions = 1000
/** Time until all transfers are in progress. */
const rampUpMs = 500
const probePath = fileURLToPath(new URL('./latency-probe.ts', import.meta.url))

interface LatencyResult {
  readonly idle: readonly number[]
  readonly busy: readonly number[]
  /** Tick durations of the server's event loop under load. */
  readonly ticks: TickTimes
  readonly transfers: TransferTotals
}

/** The transfers that ran during the requests. */
interface TransferTotals {
  readonly bytes: number
  readonly seconds: number
  /** CPU time of the server, the measured requests included. */
  readonly cpuSeconds: number
}

/**
 * Compares the latency of a small API request during many transfers with its latency on an idle server. The same figures
 * of a bare server show how much of the latency is due to the machine.
 */
export async function measureApiLatency({ megabytes = maxFileBytes / 1e6, rounds }: BenchOptions): Promise<Finding[]> {
  return withBenchEnvironment(
    async (workbench) => {
      const plain = await createPlainFile(workbench, Math.min(maxFileBytes, megabytes * 1e6))
      const sides = [await sallyportTarget(workbench, plain), await bareServerTarget(workbench, plain)]
      const results = new Map<string, LatencyResult[]>(sides.map(({ name }) => [name, []]))
      try {
        for (let round = 0; round < rounds; round += 1) {
          for (const side of sides) results.get(side.name)?.push(await measureTarget(side))
        }
      } finally {
        for (const { stop } of sides) await stop()
      }
      saveResults('answers', { answered: Object.fromEntries(results) })
      printLatency(results)
      const [ratio = Number.NaN, bareRatio = Number.NaN] = [...results.values()].map(
        (rounds) => spreadOf(rounds.map(ratioOf)).median,
      )
      return [
        judge({
          id: 'P10',
          measure: `JSON p99 under ${concurrency} uploads and ${concurrency} downloads ÷ idle (a bare server: ${bareRatio.toFixed(1)})`,
          value: ratio,
          decimals: 1,
          target: { atMost: 5 },
        }),
      ]
    },
    { watchesTicks: true },
  )
}

async function measureTarget(side: LatencyTarget): Promise<LatencyResult> {
  const idle = await sendRequests(side)
  const stop = new AbortController()
  const transfers = runTransfers(side, stop.signal)
  await pause(rampUpMs)
  await side.server.tickTimes()
  const busy = await sendRequests(side)
  const ticks = await side.server.tickTimes()
  stop.abort()
  return { idle, busy, ticks, transfers: await transfers }
}

/** Sends requests one after the other; resolves to the milliseconds of each. */
async function sendRequests({ request }: LatencyTarget): Promise<number[]> {
  const probe = spawn(process.execPath, [probePath], { stdio: ['pipe', 'pipe', 'inherit'] })
  const probeInput: LatencyProbeInput = { ...request, questions }
  probe.stdin.end(JSON.stringify(probeInput))
  return JSON.parse(`${await buffer(probe.stdout)}`)
}

/** Runs uploads and downloads until the signal aborts, and waits until the last ones are complete. */
async function runTransfers(
  { server, fileBytes, upload, download }: LatencyTarget,
  signal: AbortSignal,
): Promise<TransferTotals> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(server.processId)]
  let bytes = 0
  const repeat = async (transfer: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await transfer()
      bytes += fileBytes
    }
  }
  await Promise.all(Array.from({ length: concurrency }, () => [repeat(upload), repeat(download)]).flat())
  const seconds = (performance.now() - startedAt) / 1000
  return { bytes, seconds, cpuSeconds: cpuSeconds(server.processId) - cpuBefore }
}

const ratioOf = ({ idle, busy }: LatencyResult): number => percentile(busy, 0.99) / percentile(idle, 0.99)

function printLatency(answered: ReadonlyMap<string, readonly LatencyResult[]>): void {
  const columns: readonly (readonly [string, (round: LatencyResult) => number])[] = [
    ['idle median', ({ idle }) => percentile(idle, 0.5)],
    ['idle p99', ({ idle }) => percentile(idle, 0.99)],
    ['busy median', ({ busy }) => percentile(busy, 0.5)],
    ['busy p99', ({ busy }) => percentile(busy, 0.99)],
    ['p99 ratio', ratioOf],
    ['tick median', ({ ticks }) => ticks.median],
    ['tick p99', ({ ticks }) => ticks.p99],
    ['MB/s of transfers', ({ transfers }) => transfers.bytes / 1e6 / transfers.seconds],
    ['server CPU s/GB', ({ transfers }) => transfers.cpuSeconds / (transfers.bytes / 1e9)],
  ]
  const rows = [...answered].map(([name, rounds]) => [
    name,
    ...columns.map(([, figure]) => {
      const { median, min, max } = spreadOf(rounds.map(figure))
      return `${median.toFixed(1)} (${min.toFixed(1)} to ${max.toFixed(1)})`
    }),
  ])
  console.log(`\n${table([['milliseconds', ...columns.map(([title]) => title)], ...rows])}\n`)
}
