import type { Run } from './compare.ts'
import { saveResults } from './findings.ts'
import { type Spread, spreadOf } from './statistics.ts'
import { table } from './table.ts'

interface Comparison {
  readonly name: string
  /** Bytes that each run moved. */
  readonly bytes: number
  /** The side that the others are compared with. */
  readonly yardstick: string
  readonly runs: ReadonlyMap<string, readonly Run[]>
}

/** A column of the table: its title, and its figure for one run of the given number of bytes. */
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

/** Prints the table of a comparison and saves its runs. */
export function report(comparison: Comparison): void {
  const { name, bytes, yardstick, runs } = comparison
  const rows = [...runs].map(([side, sideRuns]) => [
    side,
    ...columns.map(([, figure, digits]) => formatSpread(spreadOf(sideRuns.map((run) => figure(run, bytes))), digits)),
  ])
  const ratios = [...runs.keys()]
    .filter((side) => side !== yardstick)
    .map((side) => [
      `${side} ÷ ${yardstick}`,
      ...['seconds', 'serverCpuSeconds'].map((key) => formatSpread(ratioOf(comparison, side, key as keyof Run), 2)),
    ])

  console.log(
    `\n${name}, ${megabytes(bytes).toFixed(0)} MB, ${runs.get(yardstick)?.length ?? 0} rounds: median (least to most)\n`,
  )
  console.log(table([['', ...columns.map(([title]) => title)], ...rows]))
  console.log(`\n${table([['round by round', 'speed', 'server CPU'], ...ratios])}\n`)
  saveResults(name, { bytes, yardstick, runs: Object.fromEntries(runs) })
}

/** Ratio of a side to the yardstick, round by round: higher is better for speed, lower for all else. */
export function ratioOf(
  { runs, yardstick }: Pick<Comparison, 'runs' | 'yardstick'>,
  side: string,
  key: keyof Run,
): Spread {
  const yardstickRuns = runs.get(yardstick) ?? []
  const pairs = (runs.get(side) ?? []).map((run, round) => run[key] / (yardstickRuns[round]?.[key] ?? Number.NaN))
  return spreadOf(key === 'seconds' ? pairs.map((ratio) => 1 / ratio) : pairs)
}

const formatSpread = ({ median, min, max }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
