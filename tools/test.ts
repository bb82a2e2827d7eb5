// `npm test`: runs all checks and tests.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, useGitHooks } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { failed, type Outcome, passed, readJourneyReport, readUnitReport } from './outcome.ts'
import { findChromium, findHeadlessChromium, findRedis } from './system-packages.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const results = join(root, 'test-results')
const bin = join(root, 'node_modules', '.bin')
const temporaryFolder = createTemporaryFolder()
const total = { passed: 0, failed: [] as string[] }

/** Runs a tool of the project. Returns whether it succeeded. */
function run(command: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): boolean {
  const PATH = `${bin}${delimiter}${process.env['PATH']}`
  const env = { ...process.env, TMPDIR: temporaryFolder, ...extra, PATH }
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
  const report = join(results, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // Each test file loads the same libraries in a process of its own.
  const endedWell = run('vitest', args, { NODE_COMPILE_CACHE: join(results, 'compile-cache') })
  return readUnitReport(report, endedWell)
}

function journeys(): Outcome {
  // Installs both before several processes look for them.
  findHeadlessChromium()
  findChromium()
  const report = join(results, 'playwright.json')
  const endedWell = run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return readJourneyReport(report, endedWell)
}

async function step(title: string, work: () => Outcome | Promise<Outcome>): Promise<void> {
  const started = Date.now()
  console.log(`\n── ${title}`)
  const outcome = await work()
  total.passed += outcome.passed
  total.failed.push(...outcome.failed)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`── ${title}: ${outcome.passed} passed, ${outcome.failed.length} failed, ${seconds} s`)
}

useGitHooks()
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
await step('format and lint', () => check('biome', 'ci', '.'))
await step('types', () => check('tsc', '-b'))
await step('import rules', () => check('node', 'tools/check-imports.ts'))
await step('dead code', () => check('knip', '--no-progress'))
await step('strings', () => check('node', 'tools/strings.ts', 'check'))
await step('generated documents', () => check('node', 'tools/write-documents.ts', '--check'))
await step('unit, contract and store tests', unitTests)
await step('web app', () => buildPageOnce().then(() => passed))
await step('end-to-end tests in Chromium', journeys)
if (!process.env['INSIDE_FRESH_CLONE'])
  await step('a fresh clone starts', () => check('node', 'tools/fresh-clone.ts', '--start-only'))
rmSync(temporaryFolder, { recursive: true, force: true })

// Printed last, because the end of a long output is what people read.
for (const text of total.failed) console.log(`\nfailed: ${text}`)
process.exitCode = total.failed.length === 0 ? 0 : 1
console.log(`\n${total.passed} passed, ${total.failed.length} failed`)
