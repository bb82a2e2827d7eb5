import { expect, test } from 'vitest'
import { runSuite, suiteChecks } from './testing/browser-suite.ts'
import { vectorCases } from './testing/case-checks.ts'
import { quickCases } from './testing/cases/all-cases.ts'

test.each(suiteChecks.map((check) => [check.name, check] as const))('T002 %s', async (_name, check) => {
  await check.run()
})

test('the suite that browsers run counts what passed and names what failed', async () => {
  const { passed, failed } = await runSuite()

  expect(failed).toEqual([])
  expect(passed).toBe(suiteChecks.length)
}, 60_000)

test('the vector file has at least 160 cases, two thirds of them refusals, each with a name of its own', () => {
  const refusals = vectorCases.filter(({ expect: outcome }) => outcome !== 'ok')

  expect(vectorCases.length).toBeGreaterThanOrEqual(160)
  expect(refusals.length).toBeGreaterThanOrEqual((vectorCases.length * 2) / 3)
  expect(new Set(vectorCases.map(({ name }) => name)).size).toBe(vectorCases.length)
})

test('the vector file begins with what the second implementation gives today', () => {
  const today = JSON.parse(JSON.stringify(quickCases())) as unknown[]

  expect(today.length).toBeGreaterThan(300)
  expect(vectorCases.slice(0, today.length)).toEqual(today)
})
