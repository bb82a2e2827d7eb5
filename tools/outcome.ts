import { stripVTControlCharacters } from 'node:util'

/** A failed test or check. */
export interface Failure {
  /** The file and the title of a test, or the command of a check. */
  readonly title: string
  /** The first lines of its error. */
  readonly error: string
  /** Runs the test again by itself, and returns whether it passed. Checks have none. */
  readonly runAlone?: () => boolean
}

/** The result of one step of `npm test`, or of all of them. */
export interface Outcome {
  readonly passed: number
  readonly failed: readonly Failure[]
}

/** The result of a run whose failed tests were run again by themselves. */
export interface RetriedOutcome extends Outcome {
  /** Tests that failed in the run and passed alone; `passed` counts them. */
  readonly passedAlone: readonly Failure[]
}

/** Runs vitest or Playwright with these arguments, and returns whether it succeeded. */
export type RunTool = (args: readonly string[], environment: Readonly<Record<string, string>>) => boolean

const maxAttempts = 2
/** More tests than this that fail at first fail the run, even if they pass alone. */
const maxPassedAlone = 10
/** After this many failures the change is at fault, and each further attempt only delays the result. */
const maxRetried = 20
const shownLines = 6

export const passed: Outcome = { passed: 1, failed: [] }
export const failed = (title: string, error = ''): Outcome => ({ passed: 0, failed: [{ title, error }] })

/** Returns the first lines of an error, without the colors of a terminal. */
export const firstLines = (error = ''): string =>
  stripVTControlCharacters(error).trim().split('\n').slice(0, shownLines).join('\n')

export const addOutcomes = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((sum, one) => sum + one.passed, 0),
  failed: outcomes.flatMap((one) => one.failed),
})

/** A run can fail although no test failed, for example by an error in its setup. */
export const withRunResult = (outcome: Outcome, endedWell: boolean): Outcome =>
  endedWell || outcome.failed.length > 0
    ? outcome
    : { ...outcome, failed: [{ title: 'the run itself ended with an error', error: '' }] }

/** Runs each failed test by itself, at most twice; one that passes counts as passed. */
export function retryFailures({ passed: passedCount, failed: failures }: Outcome): RetriedOutcome {
  const retried = failures.slice(0, maxRetried)
  const passedAlone = retried.filter(passesAlone)
  const stillFailed = failures.filter((failure) => !passedAlone.includes(failure))
  const tooMany = {
    title: `more than ${maxPassedAlone} tests needed a second attempt`,
    error: 'Tests that fail in a run and pass alone are races. Fix some of them.',
  }
  return {
    passed: passedCount + passedAlone.length,
    failed: passedAlone.length > maxPassedAlone ? [...stillFailed, tooMany] : stillFailed,
    passedAlone,
  }
}

function passesAlone({ title, runAlone }: Failure): boolean {
  for (let attempt = 1; runAlone && attempt <= maxAttempts; attempt += 1) {
    console.log(`\n── alone, attempt ${attempt} of ${maxAttempts}: ${title}`)
    if (runAlone()) return true
  }
  return false
}

/** Formats the end of the run's output. Its last line is `N passed, N failed`. */
export function formatSummary({ passed: passedCount, failed: failures, passedAlone }: RetriedOutcome): string {
  const format = ({ title, error }: Failure): string => [title, ...(error ? error.split('\n') : [])].join('\n      ')
  return [
    ...failures.map((failure) => `failed: ${format(failure)}\n`),
    ...(passedAlone.length > 0 ? [`needed a second attempt: ${passedAlone.length}`] : []),
    ...passedAlone.map((failure) => `  ${format(failure)}\n`),
    `${passedCount} passed, ${failures.length} failed`,
  ].join('\n')
}
