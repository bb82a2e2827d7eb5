import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './bootstrap.mjs'
import { readJourneyReport, readUnitReport } from './outcome.ts'

const results = join(root, 'test-results')
let folder = ''

beforeAll(() => {
  mkdirSync(results, { recursive: true })
  folder = mkdtempSync(join(results, 'outcome-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Tests for a runner: two pass and one fails. */
const threeTests = (runner: string) => `
  import { expect, test } from '${runner}'
  test('passes', () => {})
  test('passes, too', () => {})
  test('fails', () => expect('one').toBe('another'))
`

function run(command: string, args: string[], extra: Record<string, string> = {}): boolean {
  const env = { ...process.env, ...extra, FORCE_COLOR: '0' }
  return spawnSync(join(root, 'node_modules', '.bin', command), args, { cwd: folder, env }).status === 0
}

test('readUnitReport: failed tests are listed with their errors', () => {
  writeFileSync(join(folder, 'three.test.ts'), threeTests('vitest'))
  writeFileSync(join(folder, 'broken.test.ts'), `throw new Error('cannot begin')`)
  const report = join(folder, 'vitest.json')
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {}')
  const endedWell = run('vitest', ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`])

  const outcome = readUnitReport(report, endedWell)

  expect(outcome.passed).toBe(2)
  expect(outcome.failed).toHaveLength(2)
  expect(outcome.failed).toContainEqual(expect.stringMatching(/three\.test\.ts: fails\n +AssertionError: .*'one'/))
  expect(outcome.failed).toContainEqual(expect.stringMatching(/broken\.test\.ts: .*\n +.*cannot begin/))
})

test('readJourneyReport: failed tests are listed with their errors', () => {
  writeFileSync(join(folder, 'three.spec.ts'), threeTests('@playwright/test'))
  writeFileSync(join(folder, 'playwright.config.ts'), `export default { testMatch: '*.spec.ts', outputDir: 'made' }`)
  const report = join(folder, 'playwright.json')
  const endedWell = run('playwright', ['test', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })

  const outcome = readJourneyReport(report, endedWell)

  expect(outcome.passed).toBe(2)
  expect(outcome.failed).toEqual([expect.stringMatching(/three\.spec\.ts: fails\n +Error: [\s\S]*"another"/)])
})

test('readUnitReport: a run without a report or with an error outside of tests has failed', () => {
  const report = join(folder, 'fine.json')
  writeFileSync(report, JSON.stringify({ numPassedTests: 3, testResults: [] }))

  const outcomes = [readUnitReport(join(folder, 'none'), true), readUnitReport(report, false)]

  expect(outcomes.map(({ failed }) => failed.length)).toEqual([1, 1])
  expect(readUnitReport(report, true)).toEqual({ passed: 3, failed: [] })
})
