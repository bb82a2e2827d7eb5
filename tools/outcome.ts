import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './bootstrap.mjs'

/** What a part of the run came to; a title stands with the first lines of what went wrong. */
export interface Outcome {
  readonly passed: number
  readonly failed: readonly string[]
  /** Passed at the second attempt. */
  readonly retried: readonly string[]
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
  readonly stats: { readonly expected: number; readonly flaky: number }
  readonly suites: readonly JourneySuite[]
}

export const passed: Outcome = { passed: 1, failed: [], retried: [] }
export const failed = (title: string): Outcome => ({ passed: 0, failed: [title], retried: [] })

const shownLines = 6
const describe = (file: string, title: string, reason = ''): string =>
  [`${file}: ${title}`, ...stripVTControlCharacters(reason).split('\n').slice(0, shownLines)].join('\n      ')

/** A run can end badly although no test did, as by an error that belongs to none. */
const withEnd = (outcome: Outcome, endedWell: boolean): Outcome =>
  endedWell || outcome.failed.length > 0 ? outcome : { ...outcome, failed: ['the run itself ended with an error'] }

/** The outcome of the unit tests by the report they left; none means that the run failed. */
export function readUnitReport(path: string, endedWell: boolean): Outcome {
  if (!existsSync(path)) return failed('the unit tests left no report')
  const { numPassedTests, testResults }: UnitReport = JSON.parse(readFileSync(path, 'utf8'))
  const inProject = (path: string): string => relative(root, path)
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      status,
      hasFailedOnce: failureMessages.length > 0,
      text: describe(inProject(name), fullName.trim(), failureMessages[0]),
    })),
  )
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return withEnd(
    {
      passed: numPassedTests,
      failed: [
        ...tests.filter(({ status }) => status === 'failed').map(({ text }) => text),
        ...brokenFiles.map(({ name, message }) => describe(inProject(name), 'the file could not be run', message)),
      ],
      retried: tests
        .filter(({ status, hasFailedOnce }) => status === 'passed' && hasFailedOnce)
        .map(({ text }) => text),
    },
    endedWell,
  )
}

/** The outcome of the journeys by the report they left; none means that the run failed. */
export function readJourneyReport(path: string, endedWell: boolean): Outcome {
  if (!existsSync(path)) return failed('the journeys left no report')
  const { stats, suites }: JourneyReport = JSON.parse(readFileSync(path, 'utf8'))
  const withStatus = (status: string): string[] =>
    journeysIn(suites)
      .filter((journey) => journey.status === status)
      .map(({ text }) => text)
  return withEnd(
    { passed: stats.expected + stats.flaky, failed: withStatus('unexpected'), retried: withStatus('flaky') },
    endedWell,
  )
}

const journeysIn = (suites: readonly JourneySuite[]): { status: string; text: string }[] =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...journeysIn(inner),
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ status, results }) => ({ status, text: describe(file, title, results[0]?.error?.message) })),
    ),
  ])
