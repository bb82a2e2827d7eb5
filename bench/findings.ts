import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { table } from './table.ts'

const folder = fileURLToPath(new URL('../test-results/bench', import.meta.url))

/** One figure held against what is aimed at. */
export interface Finding {
  /** As the aims are numbered in docs/performance.md. */
  readonly id: string
  readonly measure: string
  readonly figure: string
  readonly aim: string
  readonly isReached: boolean | null
}

interface Judged {
  readonly id: string
  readonly measure: string
  readonly value: number
  /** Digits behind the point. */
  readonly digits?: number
  readonly unit?: string
  readonly aim: { readonly atLeast: number } | { readonly atMost: number }
}

/** Holds a figure against its aim. */
export function judge({ id, measure, value, digits = 2, unit = '', aim }: Judged): Finding {
  const [word, bound, isReached] =
    'atLeast' in aim ? ['at least', aim.atLeast, value >= aim.atLeast] : ['at most', aim.atMost, value <= aim.atMost]
  const withUnit = (shown: string): string => (unit === '' ? shown : `${shown} ${unit}`)
  return {
    id,
    measure,
    figure: withUnit(value.toFixed(digits)),
    aim: `${word} ${withUnit(String(bound))}`,
    isReached: Boolean(isReached),
  }
}

/** A measure for which something is missing here. */
export const notRun = (id: string, measure: string, reason: string): Finding => ({
  id,
  measure,
  figure: `not run: ${reason}`,
  aim: '',
  isReached: null,
})

/** Prints what was found as one table. */
export function printFindings(findings: readonly Finding[]): void {
  const word = { true: 'yes', false: 'NO', null: '' }
  const rows = findings.map(({ id, measure, figure, aim, isReached }) => [
    id,
    measure,
    figure,
    aim,
    word[`${isReached}`],
  ])
  console.log(`\n${table([['', 'measure', 'here', 'aim', 'reached'], ...rows])}\n`)
}

/** Keeps what a part has measured in `test-results/bench`, with the machine and the commit it was measured on. */
export function keep(name: string, measured: object): void {
  mkdirSync(folder, { recursive: true })
  const made = {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    node: process.version,
    processors: cpus().map(({ model }) => model),
  }
  const file = `${folder}/${name.toLowerCase().replace(/\W+/g, '-')}.json`
  writeFileSync(file, `${JSON.stringify({ name, made, ...measured }, null, 2)}\n`)
}
