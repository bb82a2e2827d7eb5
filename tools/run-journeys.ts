import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Failure, failed, firstLines, type Outcome, type RunTool, withRunResult } from './outcome.ts'

interface JourneysOptions {
  readonly run: RunTool
  /** The folder that file names in the outcome are relative to. */
  readonly root: string
  /** An existing folder for the report. */
  readonly reports: string
  /** Arguments of every run, for example `--config`. */
  readonly args?: readonly string[]
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly Spec[]
}

interface Spec {
  /** The path of the file from the folder of all tests. */
  readonly file: string
  readonly line: number
  readonly title: string
  readonly tests: readonly {
    readonly status: string
    readonly results: readonly { readonly error?: { readonly message?: string } }[]
  }[]
}

interface Report {
  readonly config: { readonly rootDir: string }
  readonly stats: { readonly expected: number }
  readonly suites: readonly Suite[]
  /** Errors outside of tests. */
  readonly errors?: readonly { readonly message?: string }[]
}

/** Runs the end-to-end tests that the selection names, or all. A missing report is a failure. */
export function runJourneys(options: JourneysOptions, selection: readonly string[] = []): Outcome {
  const result = runWithReport(options, selection)
  if (result === null) return failed('the end-to-end tests wrote no report')
  const { report, endedWell } = result
  const { errors = [], suites, stats } = report
  const failures: Failure[] = specsIn(suites).flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        title: `${relative(options.root, join(report.config.rootDir, spec.file))}: ${spec.title}`,
        error: firstLines(results[0]?.error?.message),
        runAlone: () => passesAlone(options, spec),
      })),
  )
  const outside = errors.map(({ message }) => ({ title: 'an error outside of tests', error: firstLines(message) }))
  return withRunResult({ passed: stats.expected, failed: [...failures, ...outside] }, endedWell)
}

const specsIn = (suites: readonly Suite[]): Spec[] =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [...specsIn(inner), ...specs])

/** Runs one test with nothing else running. */
function passesAlone(options: JourneysOptions, { file, line, title }: Spec): boolean {
  // Several tests of one line differ in their titles.
  const selection = [`${file}:${line}`, '--grep', `${RegExp.escape(title)}$`, '--workers=1']
  const result = runWithReport(options, selection)
  if (result === null) return false
  return result.endedWell && result.report.stats.expected > 0
}

function runWithReport({ run, reports, args = [] }: JourneysOptions, selection: readonly string[]) {
  const path = join(reports, 'playwright.json')
  rmSync(path, { force: true })
  const endedWell = run(['test', ...args, ...selection], { PLAYWRIGHT_JSON_OUTPUT_NAME: path })
  if (!existsSync(path)) return null
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  return { report, endedWell }
}
