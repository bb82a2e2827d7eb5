import type { Run } from './compare.ts'
import { keep } from './findings.ts'
import { type Spread, spreadOf } from './spread.ts'
import { table } from './table.ts'

interface Comparison {
  readonly name: string
  /** Bytes that each run moved. */
  readonly bytes: number
  /** The side that the others are held against. */
  readonly yardstick: string
  readonly runs: ReadonlyMap<string, readonly Run[]>
}

/** A column of the table: what it is called, and its figure for one run of so many bytes. */
type Column = readonly [title: string, figure: (run: Run, bytes: number) => number, digits: number]

const megabytes = (bytes: number): number => bytes / 1e6

const columns: readonly Column[] = [
  ['MB/s', ({ seconds }, bytes) => megabytes(bytes) / seconds, 0],
  ['server CPU s/GB', ({ serverCpuSeconds }, bytes) => (serverCpuSeconds / bytes) * 1e9, 2],
  ['client CPU s/GB', ({ clientCpuSeconds }, bytes) => (clientCpuSeconds / bytes) * 1e9, 2],
  ['server peak MB', ({ serverPeakBytes }) => megabytes(serverPeakBytes), 0],
  ['page peak MB', ({ clientPeakBytes }) => megabytes(clientPeakBytes), 0],
  ['others busy', ({ othersBusy }) => othersBusy, 2],
]

/** Prints the table of a comparison and keeps every run of it. */
export function report(comparison: Comparison): void {
  const { name, bytes, yardstick, runs } = comparison
  const rows = [...runs].map(([side, of]) => [
    side,
    ...columns.map(([, figure, digits]) => print(spreadOf(of.map((run) => figure(run, bytes))), digits)),
  ])
  const ratios = [...runs.keys()]
    .filter((side) => side !== yardstick)
    .map((side) => [
      `${side} ÷ ${yardstick}`,
      ...['seconds', 'serverCpuSeconds'].map((key) => print(ratioOf(comparison, side, key as keyof Run), 2)),
    ])

  console.log(
    `\n${name}, ${megabytes(bytes).toFixed(0)} MB, ${runs.get(yardstick)?.length ?? 0} rounds: median (least to most)\n`,
  )
  console.log(table([['', ...columns.map(([title]) => title)], ...rows]))
  console.log(`\n${table([['pair by pair', 'speed', 'server CPU'], ...ratios])}\n`)
  keep(name, { bytes, yardstick, runs: Object.fromEntries(runs) })
}

/** How a side did against the yardstick in each round: for speed more is better, for all else less. */
export function ratioOf(
  { runs, yardstick }: Pick<Comparison, 'runs' | 'yardstick'>,
  side: string,
  key: keyof Run,
): Spread {
  const yard = runs.get(yardstick) ?? []
  const pairs = (runs.get(side) ?? []).map((run, round) => run[key] / (yard[round]?.[key] ?? Number.NaN))
  return spreadOf(key === 'seconds' ? pairs.map((ratio) => 1 / ratio) : pairs)
}

const print = ({ median, least, most }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`
