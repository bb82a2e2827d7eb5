import { expect, test } from 'vitest'
import { runSuite, suiteChecks } from './testing/browser-suite.ts'
import { vectorCases } from './testing/case-checks.ts'
import { quickCases } from './testing/cases/all-cases.ts'

test.each(suiteChecks.map((check) => [check.name, check] as const))('T002 %s', async (_name, check) => {
  await check.run()
})

test('the browser suite counts passed checks and names failed ones', async () => {
  const { passed, failed } = await runSuite()

  expect(failed).toEqual([])
  expect(passed).toBe(suiteChecks.length)
})

test('the vector file has at least 160 uniquely named cases, two thirds of them errors', () => {
  const errorCases = vectorCases.filter(({ expect: outcome }) => outcome !== 'ok')

  expect(vectorCases.length).toBeGreaterThanOrEqual(160)
  expect(errorCases.length).toBeGreaterThanOrEqual((vectorCases.length * 2) / 3)
  expect(new Set(vectorCases.map(({ name }) => name)).size).toBe(vectorCases.length)
})

test('the vector file begins with the current output of the second implementation', () => {
  const current = JSON.parse(JSON.stringify(quickCases())) as unknown[]

  expect(current.length).toBeGreaterThan(300)
  expect(vectorCases.slice(0, current.length)).toEqual(current)
})
