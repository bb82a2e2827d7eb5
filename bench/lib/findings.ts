import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { table } from './table.ts'

const folder = fileURLToPath(new URL('../../test-results/bench', import.meta.url))

/** One measured figure and its target. */
export interface Finding {
  /** Number of the target in docs/performance.md. */
  readonly id: string
  readonly measure: string
  readonly figure: string
  readonly target: string
  readonly isReached: boolean | null
}

interface JudgeInput {
  readonly id: string
  readonly measure: string
  readonly value: number
  /** Number of decimal places. */
  readonly decimals?: number
  readonly unit?: string
  readonly target: { readonly atLeast: number } | { readonly atMost: number }
}

/** Compares a figure with its target. */
export function judge({ id, measure, value, decimals = 2, unit = '', target }: JudgeInput): Finding {
  const [label, bound, isReached] =
    'atLeast' in target
      ? ['at least', target.atLeast, value >= target.atLeast]
      : ['at most', target.atMost, value <= target.atMost]
  const withUnit = (text: string): string => (unit === '' ? text : `${text} ${unit}`)
  return {
    id,
    measure,
    figure: withUnit(value.toFixed(decimals)),
    target: `${label} ${withUnit(String(bound))}`,
    isReached: Boolean(isReached),
  }
}

/** A measurement that was skipped because a prerequisite is missing. */
export const notRun = (id: string, measure: string, reason: string): Finding => ({
  id,
  measure,
  figure: `not run: ${reason}`,
  target: '',
  isReached: null,
})

/** Prints all findings as one table. */
export function printFindings(findings: readonly Finding[]): void {
  const labels = { true: 'yes', false: 'NO', null: '' }
  const rows = findings.map(({ id, measure, figure, target, isReached }) => [
    id,
    measure,
    figure,
    target,
    labels[`${isReached}`],
  ])
  console.log(`\n${table([['', 'measure', 'result', 'target', 'reached'], ...rows])}\n`)
}

/** Saves the results of a benchmark in `test-results/bench`, with the machine and the commit. */
export function saveResults(name: string, results: object): void {
  mkdirSync(folder, { recursive: true })
  const metadata = {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    node: process.version,
    processors: cpus().map(({ model }) => model),
  }
  const file = `${folder}/${name.toLowerCase().replace(/\W+/g, '-')}.json`
  writeFileSync(file, `${JSON.stringify({ name, metadata, ...results }, null, 2)}\n`)
}
