import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Failure, failed, firstLines, type Outcome, type RunTool, withRunResult } from './outcome.ts'

interface UnitTestsOptions {
  readonly run: RunTool
  /** The folder that file names in the outcome are relative to. */
  readonly root: string
  /** An existing folder for the reports. */
  readonly reports: string
  /** Arguments of every run, for example `--root`. */
  readonly args?: readonly string[]
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** One entry of the report of `unhandled-errors.ts`. */
interface UnhandledError {
  readonly file?: string
  readonly message: string
}

const reporter = join(import.meta.dirname, 'unhandled-errors.ts')

/** Runs the unit tests of these files, or all. A missing report is a failure. */
export function runUnitTests(options: UnitTestsOptions, files: readonly string[] = []): Outcome {
  const report = runWithReport(options, files)
  if (report === null) return failed('the unit tests wrote no report')
  const { tests, unhandled, endedWell } = report
  const failures = [...failedTests(options, tests), ...failedFiles(options, tests, unhandled)]
  return withRunResult({ passed: tests.numPassedTests, failed: failures }, endedWell)
}

function failedTests(options: UnitTestsOptions, { testResults }: Report): Failure[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        title: `${relative(options.root, name)}: ${fullName.trim()}`,
        error: firstLines(failureMessages[0]),
        runAlone: () => passesAlone(options, name, fullName),
      })),
  )
}

/** Files that could not be run, and files with an error outside of their tests. */
function failedFiles(options: UnitTestsOptions, tests: Report, unhandled: readonly UnhandledError[]): Failure[] {
  const broken = tests.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(hasFailed))
    .map(({ name, message }) => ({ file: name, title: 'the file could not be run', message }))
  const outside = unhandled.map(({ file, message }) => ({ file, title: 'an error outside of its tests', message }))
  return [...broken, ...outside].map(({ file, title, message }) => ({
    title: file === undefined ? title : `${relative(options.root, file)}: ${title}`,
    error: firstLines(message),
    ...(file !== undefined && { runAlone: () => passesAlone(options, file) }),
  }))
}

const hasFailed = ({ status }: { readonly status: string }): boolean => status === 'failed'

/** Runs one test, or all of a file, with nothing else running. */
function passesAlone(options: UnitTestsOptions, file: string, fullName?: string): boolean {
  const filter = fullName === undefined ? [] : ['--testNamePattern', `^\\s*${RegExp.escape(fullName.trim())}$`]
  const report = runWithReport(options, [file, '--maxWorkers=1', ...filter])
  if (report === null) return false
  // A pattern that matches nothing also ends well.
  return report.endedWell && report.tests.numPassedTests > 0
}

function runWithReport({ run, reports, args = [] }: UnitTestsOptions, selection: readonly string[]) {
  const testsPath = join(reports, 'vitest.json')
  const unhandledPath = join(reports, 'unhandled-errors.json')
  for (const path of [testsPath, unhandledPath]) rmSync(path, { force: true })
  const reporters = ['default', 'json', reporter].map((name) => `--reporter=${name}`)
  const environment = { UNHANDLED_ERRORS_REPORT: unhandledPath }
  const endedWell = run(['run', ...args, ...reporters, `--outputFile.json=${testsPath}`, ...selection], environment)
  if (!existsSync(testsPath) || !existsSync(unhandledPath)) return null
  const tests: Report = JSON.parse(readFileSync(testsPath, 'utf8'))
  const unhandled: readonly UnhandledError[] = JSON.parse(readFileSync(unhandledPath, 'utf8'))
  return { tests, unhandled, endedWell }
}
