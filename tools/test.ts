// `npm test`: runs all checks and all tests but those in files named `.long.`. `npm run test:all` runs these, too.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, useGitHooks } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { addOutcomes, failed, formatSummary, type Outcome, passed, retryFailures } from './outcome.ts'
import { runJourneys } from './run-journeys.ts'
import { runUnitTests } from './run-unit-tests.ts'
import { findChromium, findHeadlessChromium, findRedis } from './system-packages.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const runsLongTests = process.argv.includes('--all')
/** Read by the settings of both kinds of tests. */
const length = runsLongTests ? {} : { SHORT_RUN: '1' }
const reports = join(root, 'test-results')
const bin = join(root, 'node_modules', '.bin')
const temporaryFolder = createTemporaryFolder()
const outcomes: Outcome[] = []

/** Runs a tool of the project. Returns whether it succeeded. */
function run(command: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): boolean {
  const PATH = `${bin}${delimiter}${process.env['PATH']}`
  const env = { ...process.env, ...length, TMPDIR: temporaryFolder, ...extra, PATH }
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0
}

/** Each check counts as one test. */
const check = (command: string, ...args: string[]): Outcome =>
  run(command, args) ? passed : failed([command, ...args].join(' '))

function unitTests(): Outcome {
  try {
    findRedis()
  } catch (error) {
    // Only the tests that need Redis will fail.
    console.error(String(error))
  }
  // Each test file loads the same libraries in a process of its own.
  const cache = { NODE_COMPILE_CACHE: join(reports, 'compile-cache') }
  return runUnitTests({
    run: (args, environment) => run('vitest', args, { ...cache, ...environment }),
    root,
    reports,
  })
}

function journeys(): Outcome {
  // Installs both before several processes look for them.
  findHeadlessChromium()
  findChromium()
  return runJourneys({
    run: (args, environment) => run('playwright', args, environment),
    root,
    reports,
    args: ['--config', 'e2e/playwright.config.ts'],
  })
}

async function step(title: string, work: () => Outcome | Promise<Outcome>): Promise<void> {
  const started = Date.now()
  console.log(`\n── ${title}`)
  const outcome = await work()
  outcomes.push(outcome)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`── ${title}: ${outcome.passed} passed, ${outcome.failed.length} failed, ${seconds} s`)
}

const startedAt = Date.now()
useGitHooks()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
await step('format and lint', () => check('biome', 'ci', '.'))
await step('types', () => check('node', 'node_modules/typescript-native/bin/tsc', '-b'))
await step('import rules', () => check('node', 'tools/check-imports.ts'))
await step('dead code', () => check('knip', '--no-progress'))
await step('strings', () => check('node', 'tools/strings.ts', 'check'))
await step('generated documents', () => check('node', 'tools/write-documents.ts', '--check'))
await step('unit, contract and store tests', unitTests)
await step('web app', () => buildPageOnce().then(() => passed))
await step('end-to-end tests in Chromium', journeys)
if (!process.env['INSIDE_FRESH_CLONE'])
  await step('a fresh clone starts', () =>
    check('node', 'tools/fresh-clone.ts', '--start-only', ...(runsLongTests ? ['--timed'] : [])),
  )

const outcome = retryFailures(addOutcomes(outcomes))
rmSync(temporaryFolder, { recursive: true, force: true })
process.exitCode = outcome.failed.length === 0 ? 0 : 1
console.log(`\n${Math.round((Date.now() - startedAt) / 1000)} s`)
// Printed last, because the end of a long output is what people read.
console.log(formatSummary(outcome))
