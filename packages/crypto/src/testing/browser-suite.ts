import { caseChecks } from './case-checks.ts'
import type { Check } from './check.ts'
import { publishedChecks } from './published-checks.ts'

export interface SuiteResult {
  readonly passed: number
  readonly failed: readonly { readonly name: string; readonly error: string }[]
}

/** The checks that must pass in every environment of this package. They need no test framework. */
export const suiteChecks: readonly Check[] = [...publishedChecks, ...caseChecks]

/** Runs the checks sequentially, because the scripted random generator supports only one at a time. */
export async function runSuite(): Promise<SuiteResult> {
  const failed: { name: string; error: string }[] = []
  for (const { name, run } of suiteChecks) {
    try {
      await run()
    } catch (error) {
      failed.push({ name, error: String(error) })
    }
  }
  return { passed: suiteChecks.length - failed.length, failed }
}
