import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './bootstrap.mjs'
import { buildPageOnce } from './build-page.ts'
import { findChromium, findRedis } from './system-packages.ts'

interface Outcome {
  readonly passed: number
  readonly failed: number
}

const results = join(root, 'test-results')
const bin = join(root, 'node_modules', '.bin')
const total = { passed: 0, failed: 0 }

/** Runs a tool of the project's own; true when it found nothing wrong. */
function run(command: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): boolean {
  const env = { ...process.env, ...extra, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0
}

/** Each check counts as one test. */
const check = (command: string, ...args: string[]): Outcome => (run(command, args) ? one.passed : one.failed)
const one = { passed: { passed: 1, failed: 0 }, failed: { passed: 0, failed: 1 } } as const

function unitTests(): Outcome {
  try {
    findRedis()
  } catch (error) {
    // The tests that need it fail; all others still have something to say.
    console.error(String(error))
  }
  const report = join(results, 'vitest.json')
  const fine = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  if (!existsSync(report)) return one.failed
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  return { passed: numPassedTests, failed: Math.max(numFailedTests, fine ? 0 : 1) }
}

function journeys(): Outcome {
  const report = join(results, 'playwright.json')
  const fine = run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    CHROMIUM_PATH: findChromium(),
  })
  if (!existsSync(report)) return one.failed
  const { expected, unexpected, flaky } = JSON.parse(readFileSync(report, 'utf8')).stats
  return { passed: expected + flaky, failed: Math.max(unexpected, fine ? 0 : 1) }
}

async function step(title: string, work: () => Outcome | Promise<Outcome>): Promise<void> {
  const started = Date.now()
  console.log(`\n── ${title}`)
  const { passed, failed } = await work()
  total.passed += passed
  total.failed += failed
  console.log(`── ${title}: ${passed} passed, ${failed} failed, ${Math.round((Date.now() - started) / 1000)} s`)
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
await step('format and lint', () => check('biome', 'ci', '.'))
await step('types', () => check('tsc', '-b'))
await step('import law', () => check('node', 'tools/check-imports.ts'))
await step('dead code', () => check('knip', '--no-progress'))
await step('generated documents', () => check('node', 'tools/write-documents.ts', '--check'))
await step('unit, contract and store tests', unitTests)
await step('page', () => buildPageOnce().then(() => one.passed))
await step('journeys in Chromium', journeys)
if (!process.env['INSIDE_FRESH_CLONE'])
  await step('a fresh clone starts', () => check('node', 'tools/fresh-clone.ts', '--start-only'))

console.log('')
process.exitCode = total.failed === 0 ? 0 : 1
console.log(`${total.passed} passed, ${total.failed} failed`)
