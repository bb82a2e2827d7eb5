import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/**
 * A reporter for vitest that writes the errors outside of tests, and the files that they come from, as JSON to the path
 * in `UNHANDLED_ERRORS_REPORT`. The JSON reporter of vitest leaves them out.
 */
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (_modules, errors) => {
    const report = errors.map((error) => ({ file: error['VITEST_TEST_PATH'], message: error.stack ?? error.message }))
    writeFileSync(process.env['UNHANDLED_ERRORS_REPORT'] ?? '', JSON.stringify(report))
  }
}
