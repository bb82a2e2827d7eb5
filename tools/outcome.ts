import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './bootstrap.mjs'

/** The result of one step of `npm test`; failed tests are listed with the first lines of their errors. */
export interface Outcome {
  readonly passed: number
  readonly failed: readonly string[]
}

interface UnitReport {
  readonly numPassedTests: number
  readonly testResults: readonly {
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

interface JourneySuite {
  readonly suites?: readonly JourneySuite[]
  readonly specs?: readonly {
    readonly file: string
    readonly title: string
    readonly tests: readonly {
      readonly status: string
      readonly results: readonly { readonly error?: { readonly message?: string } }[]
    }[]
  }[]
}

interface JourneyReport {
  readonly stats: { readonly expected: number }
  readonly suites: readonly JourneySuite[]
}

export const passed: Outcome = { passed: 1, failed: [] }
export const failed = (title: string): Outcome => ({ passed: 0, failed: [title] })

const shownLines = 6
const formatFailure = (file: string, title: string, reason = ''): string =>
  [`${file}: ${title}`, ...stripVTControlCharacters(reason).split('\n').slice(0, shownLines)].join('\n      ')

/** A run can fail although no test failed, for example by an unhandled error. */
const withRunResult = (outcome: Outcome, endedWell: boolean): Outcome =>
  endedWell || outcome.failed.length > 0 ? outcome : { ...outcome, failed: ['the run itself ended with an error'] }

/** Reads the outcome of the unit tests from their report; a missing report is a failure. */
export function readUnitReport(path: string, endedWell: boolean): Outcome {
  if (!existsSync(path)) return failed('the unit tests wrote no report')
  const { numPassedTests, testResults }: UnitReport = JSON.parse(readFileSync(path, 'utf8'))
  const inProject = (path: string): string => relative(root, path)
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      status,
      text: formatFailure(inProject(name), fullName.trim(), failureMessages[0]),
    })),
  )
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return withRunResult(
    {
      passed: numPassedTests,
      failed: [
        ...tests.filter(({ status }) => status === 'failed').map(({ text }) => text),
        ...brokenFiles.map(({ name, message }) => formatFailure(inProject(name), 'the file could not be run', message)),
      ],
    },
    endedWell,
  )
}

/** Reads the outcome of the end-to-end tests from their report; a missing report is a failure. */
export function readJourneyReport(path: string, endedWell: boolean): Outcome {
  if (!existsSync(path)) return failed('the end-to-end tests wrote no report')
  const { stats, suites }: JourneyReport = JSON.parse(readFileSync(path, 'utf8'))
  const failedTests = journeysIn(suites).filter(({ status }) => status === 'unexpected')
  return withRunResult({ passed: stats.expected, failed: failedTests.map(({ text }) => text) }, endedWell)
}

const journeysIn = (suites: readonly JourneySuite[]): { status: string; text: string }[] =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...journeysIn(inner),
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ status, results }) => ({ status, text: formatFailure(file, title, results[0]?.error?.message) })),
    ),
  ])
