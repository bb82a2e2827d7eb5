import { expect, test } from 'vitest'
import { formatSummary, retryFailures } from './outcome.ts'
import { plant, redOnce, runners } from './planted-tests.ts'

for (const [kind, runner] of Object.entries(runners)) {
  test(`${kind}: eleven tests that pass only alone fail the run`, () => {
    const titles = Array.from({ length: 11 }, (_, index) => `is red once, ${index}`)
    const folder = plant(runner, titles.map(redOnce).join('\n'))

    const outcome = retryFailures(runner.runIn(folder))

    expect(outcome.passedAlone).toHaveLength(11)
    expect(outcome.failed).toMatchObject([{ title: 'more than 10 tests needed a second attempt' }])
    expect(formatSummary(outcome)).toMatch(/\n11 passed, 1 failed$/)
  })
}
