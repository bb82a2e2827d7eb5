import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failed, formatSummary, retryFailures } from './outcome.ts'
import { configs, createFolder, imports, plant, redOnce, runners } from './planted-tests.ts'
import { runJourneys } from './run-journeys.ts'
import { runUnitTests } from './run-unit-tests.ts'

for (const [kind, runner] of Object.entries(runners)) {
  test(`${kind}: a test that always fails is run alone twice and fails the run`, () => {
    const folder = plant(
      runner,
      `
      test('passes', () => {})
      test('never (at all) passes', () => {
        const count = join(import.meta.dirname, 'count')
        writeFileSync(count, 'x', { flag: 'a' })
        expect('one').toBe('another')
      })
    `,
    )

    const first = runner.runIn(folder)
    const outcome = retryFailures(first)

    expect(first.passed).toBe(1)
    expect(outcome.passed).toBe(1)
    expect(outcome.passedAlone).toEqual([])
    expect(outcome.failed).toMatchObject([
      { title: `${runner.file}: never (at all) passes`, error: expect.stringContaining('one') },
    ])
    expect(statSync(join(folder, 'count')).size).toBe(3)
  })

  test(`${kind}: a test that fails once and passes alone counts as passed and is listed with its first error`, () => {
    const folder = plant(runner, `test('passes', () => {})${redOnce('is red once')}`)

    const outcome = retryFailures(runner.runIn(folder))

    expect(outcome.passed).toBe(2)
    expect(outcome.failed).toEqual([])
    expect(outcome.passedAlone).toMatchObject([{ title: `${runner.file}: is red once` }])
    expect(formatSummary(outcome)).toMatch(
      new RegExp(
        `^needed a second attempt: 1\\n  ${runner.file}: is red once\\n[\\s\\S]*early[\\s\\S]*\\n2 passed, 0 failed$`,
      ),
    )
  })
}

test('unit tests: a file that cannot be run and an error outside of tests are failures with their files', () => {
  const folder = createFolder({
    ...configs,
    'broken.test.ts': `throw new Error('cannot begin')`,
    'late.test.ts': `
      import { test } from 'vitest'
      test('passes', async () => {
        void Promise.reject(new Error('nobody waits'))
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
    `,
  })

  const outcome = retryFailures(runners['unit tests'].runIn(folder))

  expect(outcome.failed).toMatchObject([
    { title: 'broken.test.ts: the file could not be run', error: expect.stringContaining('cannot begin') },
    { title: 'late.test.ts: an error outside of its tests', error: expect.stringContaining('nobody waits') },
  ])
  expect(outcome.passedAlone).toEqual([])
})

test('end-to-end tests: an error in the setup of the run is a failure', () => {
  const folder = createFolder({
    'setup.ts': `export default () => { throw new Error('no accounts') }`,
    'playwright.config.ts': `export default { testMatch: '*.spec.ts', globalSetup: './setup.ts', outputDir: 'made', reporter: 'json' }`,
    'planted.spec.ts': `${imports('@playwright/test')}test('passes', () => {})`,
  })

  const outcome = retryFailures(runners['end-to-end tests'].runIn(folder))

  expect(outcome.failed).toMatchObject([
    { title: 'an error outside of tests', error: expect.stringContaining('no accounts') },
  ])
})

test('a run without a report has failed', () => {
  const folder = createFolder({})
  const options = { run: () => true, root: folder, reports: folder }

  expect(runUnitTests(options).failed).toMatchObject([{ title: 'the unit tests wrote no report' }])
  expect(runJourneys(options).failed).toMatchObject([{ title: 'the end-to-end tests wrote no report' }])
})

test('more than ten tests that pass only alone are a failure', () => {
  const redOnce = (count: number) => ({
    passed: 1,
    failed: Array.from({ length: count }, (_, index) => ({ title: `test ${index}`, error: '', runAlone: () => true })),
  })

  expect(formatSummary(retryFailures(redOnce(10)))).toMatch(/\n11 passed, 0 failed$/)
  expect(formatSummary(retryFailures(redOnce(11)))).toMatch(/\n12 passed, 1 failed$/)
})

test('a failed check is not run again', () => {
  const outcome = retryFailures(failed('biome ci .'))

  expect(formatSummary(outcome)).toBe('failed: biome ci .\n\n0 passed, 1 failed')
})
