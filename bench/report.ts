import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Run } from './compare.ts'

const folder = fileURLToPath(new URL('../test-results/bench', import.meta.url))

export interface Comparison {
  readonly name: string
  /** Bytes that each run moved. */
  readonly bytes: number
  /** The side that the others are held against. */
  readonly yardstick: string
  readonly runs: ReadonlyMap<string, readonly Run[]>
}

interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
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

/** Prints the table of a comparison and keeps every run of it in `test-results/bench`. */
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
  keep(comparison)
}

/** How a side did against the yardstick in each round: for speed more is better, for all else less. */
function ratioOf({ runs, yardstick }: Comparison, side: string, key: keyof Run): Spread {
  const yard = runs.get(yardstick) ?? []
  const pairs = (runs.get(side) ?? []).map((run, round) => run[key] / (yard[round]?.[key] ?? Number.NaN))
  return spreadOf(key === 'seconds' ? pairs.map((ratio) => 1 / ratio) : pairs)
}

function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const at = (place: number): number => sorted[place] ?? Number.NaN
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, least: at(0), most: at(sorted.length - 1) }
}

const print = ({ median, least, most }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`

/** A Markdown table with its columns in line. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function keep({ name, bytes, yardstick, runs }: Comparison): void {
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${name.toLowerCase().replace(/\W+/g, '-')}.json`
  const made = {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    node: process.version,
    processors: cpus().map(({ model }) => model),
  }
  writeFileSync(file, `${JSON.stringify({ name, bytes, yardstick, made, runs: Object.fromEntries(runs) }, null, 2)}\n`)
}
