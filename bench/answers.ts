import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type AnsweringSide, bareSide, ownSide } from './answering-sides.ts'
import { type Finding, judge, keep } from './findings.ts'
import { makePlain } from './plain.ts'
import { cpuSeconds } from './processes.ts'
import type { Asked } from './questioner.ts'
import { percentile, spreadOf } from './spread.ts'
import { table } from './table.ts'
import type { TickTimes } from './tick-watch.ts'
import type { Wishes } from './wishes.ts'
import { onWorkbench } from './workbench.ts'

const atOnce = 10
/** Ten of them have to fit into an account at once. */
const mostBytes = 50e6
const questions = 1000
/** Until all transfers are well under way. */
const settleMs = 500
const questionerPath = fileURLToPath(new URL('./questioner.ts', import.meta.url))

interface Answered {
  readonly idle: readonly number[]
  readonly busy: readonly number[]
  /** Of the server's event loop while it was busy. */
  readonly ticks: TickTimes
  readonly moved: Moved
}

/** What passed beside the questions. */
interface Moved {
  readonly bytes: number
  readonly seconds: number
  /** Those of the server, questions included. */
  readonly cpuSeconds: number
}

/**
 * How long a small question takes to be answered while many transfers run, against a server with nothing else to do; and
 * the same for a bare server, which tells how much of it is the machine's.
 */
export async function timeAnswers({ megabytes = mostBytes / 1e6, rounds }: Wishes): Promise<Finding[]> {
  return onWorkbench(
    async (workbench) => {
      const plain = await makePlain(workbench, Math.min(mostBytes, megabytes * 1e6))
      const sides = [await ownSide(workbench, plain), await bareSide(workbench, plain)]
      const answered = new Map<string, Answered[]>(sides.map(({ name }) => [name, []]))
      try {
        for (let round = 0; round < rounds; round += 1) {
          for (const side of sides) answered.get(side.name)?.push(await askSide(side))
        }
      } finally {
        for (const { stop } of sides) await stop()
      }
      keep('answers', { answered: Object.fromEntries(answered) })
      printAnswers(answered)
      const [ratio = Number.NaN, bareRatio = Number.NaN] = [...answered.values()].map(
        (rounds) => spreadOf(rounds.map(ratioOf)).median,
      )
      return [
        judge({
          id: 'P10',
          measure: `JSON p99 under ${atOnce} uploads and ${atOnce} downloads ÷ idle (a bare server: ${bareRatio.toFixed(1)})`,
          value: ratio,
          digits: 1,
          aim: { atMost: 5 },
        }),
      ]
    },
    { watchesTicks: true },
  )
}

async function askSide(side: AnsweringSide): Promise<Answered> {
  const idle = await askMany(side)
  const stop = new AbortController()
  const transfers = runTransfers(side, stop.signal)
  await pause(settleMs)
  await side.server.tickTimes()
  const busy = await askMany(side)
  const ticks = await side.server.tickTimes()
  stop.abort()
  return { idle, busy, ticks, moved: await transfers }
}

/** Asks one question after the other; gives the milliseconds of each. */
async function askMany({ question }: AnsweringSide): Promise<number[]> {
  const questioner = spawn(process.execPath, [questionerPath], { stdio: ['pipe', 'pipe', 'inherit'] })
  const asked: Asked = { ...question, questions }
  questioner.stdin.end(JSON.stringify(asked))
  return JSON.parse(`${await buffer(questioner.stdout)}`)
}

/** Keeps as many uploads and downloads running until the signal, and lets them come to their end. */
async function runTransfers(
  { server, fileBytes, upload, download }: AnsweringSide,
  signal: AbortSignal,
): Promise<Moved> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(server.processId)]
  let bytes = 0
  const repeat = async (transfer: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await transfer()
      bytes += fileBytes
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => [repeat(upload), repeat(download)]).flat())
  const seconds = (performance.now() - startedAt) / 1000
  return { bytes, seconds, cpuSeconds: cpuSeconds(server.processId) - cpuBefore }
}

const ratioOf = ({ idle, busy }: Answered): number => percentile(busy, 0.99) / percentile(idle, 0.99)

function printAnswers(answered: ReadonlyMap<string, readonly Answered[]>): void {
  const columns: readonly (readonly [string, (round: Answered) => number])[] = [
    ['idle median', ({ idle }) => percentile(idle, 0.5)],
    ['idle p99', ({ idle }) => percentile(idle, 0.99)],
    ['busy median', ({ busy }) => percentile(busy, 0.5)],
    ['busy p99', ({ busy }) => percentile(busy, 0.99)],
    ['p99 ratio', ratioOf],
    ['tick median', ({ ticks }) => ticks.median],
    ['tick p99', ({ ticks }) => ticks.p99],
    ['MB/s beside', ({ moved }) => moved.bytes / 1e6 / moved.seconds],
    ['server CPU s/GB', ({ moved }) => moved.cpuSeconds / (moved.bytes / 1e9)],
  ]
  const rows = [...answered].map(([name, rounds]) => [
    name,
    ...columns.map(([, figure]) => {
      const { median, least, most } = spreadOf(rounds.map(figure))
      return `${median.toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`
    }),
  ])
  console.log(`\n${table([['milliseconds', ...columns.map(([title]) => title)], ...rows])}\n`)
}
