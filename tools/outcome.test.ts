import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './bootstrap.mjs'
import { failed, formatSummary, retryFailures } from './outcome.ts'
import { runJourneys } from './run-journeys.ts'
import { runUnitTests } from './run-unit-tests.ts'

const results = join(root, 'test-results')

/** Creates a folder with these files, in which packages of the project can be imported. */
function createFolder(files: Readonly<Record<string, string>>): string {
  mkdirSync(results, { recursive: true })
  const folder = mkdtempSync(join(results, 'outcome-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

function run(folder: string, command: string, args: readonly string[], extra: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...extra, FORCE_COLOR: '0' }
  return spawnSync(join(root, 'node_modules', '.bin', command), args, { cwd: folder, env }).status === 0
}

/** A test that fails the first time and passes later, by a file that it leaves in its folder. */
const redOnce = (title: string): string => `
  test(${JSON.stringify(title)}, () => {
    const seen = join(import.meta.dirname, ${JSON.stringify(`seen ${title}`)})
    const isFirst = !existsSync(seen)
    writeFileSync(seen, '')
    expect(isFirst ? 'early' : 'ready').toBe('ready')
  })
`

const imports = (runner: string): string => `
  import { existsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { expect, test } from '${runner}'
`

const runners = {
  'unit tests': {
    package: 'vitest',
    file: 'planted.test.ts',
    runIn: (folder: string) =>
      runUnitTests({
        run: (args, environment) => run(folder, 'vitest', args, environment),
        root: folder,
        reports: folder,
        args: ['--root', folder],
      }),
  },
  'end-to-end tests': {
    package: '@playwright/test',
    file: 'planted.spec.ts',
    runIn: (folder: string) =>
      runJourneys({
        run: (args, environment) => run(folder, 'playwright', args, environment),
        root: folder,
        reports: folder,
      }),
  },
}

const configs = {
  'vitest.config.ts': 'export default {}',
  'playwright.config.ts': `export default {
    testMatch: '*.spec.ts', outputDir: 'made', reporter: [['list'], ['json']],
  }`,
}

for (const [kind, runner] of Object.entries(runners)) {
  const plant = (tests: string): string => createFolder({ ...configs, [runner.file]: imports(runner.package) + tests })

  test(`${kind}: a test that always fails is run alone twice and fails the run`, () => {
    const folder = plant(`
      test('passes', () => {})
      test('never (at all) passes', () => {
        const count = join(import.meta.dirname, 'count')
        writeFileSync(count, 'x', { flag: 'a' })
        expect('one').toBe('another')
      })
    `)

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
    const folder = plant(`test('passes', () => {})${redOnce('is red once')}`)

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

  test(`${kind}: eleven tests that pass only alone fail the run`, () => {
    const titles = Array.from({ length: 11 }, (_, index) => `is red once, ${index}`)
    const folder = plant(titles.map(redOnce).join('\n'))

    const outcome = retryFailures(runner.runIn(folder))

    expect(outcome.passedAlone).toHaveLength(11)
    expect(outcome.failed).toMatchObject([{ title: 'more than 10 tests needed a second attempt' }])
    expect(formatSummary(outcome)).toMatch(/\n11 passed, 1 failed$/)
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

test('a failed check is not run again', () => {
  const outcome = retryFailures(failed('biome ci .'))

  expect(formatSummary(outcome)).toBe('failed: biome ci .\n\n0 passed, 1 failed')
})
