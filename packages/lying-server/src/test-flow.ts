import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Flow, violationsOf } from './flow.ts'

// Node types are not available where the web tests are type-checked.
const { env: environment } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process

/** Fixed seeds, so that failures are reproducible. */
const seeds = [1, 20261122]

/**
 * Every violation of the flow with the first case that shows it. A violation counts only if it is reproducible in the
 * same case, because four random digits may occur in a transcript by chance.
 */
export async function findViolations<Case>(flow: Flow<Case>, count: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const generated = seeds.flatMap((seed) => fc.sample(flow.cases, { seed, numRuns: Math.ceil(count / seeds.length) }))
  for (const flowCase of [...(flow.fixedCases ?? []), ...generated]) {
    const violations = violationsOf(await flow.run(flowCase))
    const repeated = violations.length > 0 ? violationsOf(await flow.run(flowCase)) : []
    for (const violation of violations) if (repeated.includes(violation)) found[violation] ??= JSON.stringify(flowCase)
  }
  return found
}

/**
 * Defines the tests of a flow: it completes against an honest server, makes the calls it lists, and shows no violation
 * against a lying one. A short run has a quarter of the cases; `npm run lying-server -- --cases N` has any number.
 */
export function testFlow<Case>(flow: Flow<Case>, defaultCases: number): void {
  const casesOfRun = environment['SHORT_RUN'] ? Math.ceil(defaultCases / 4) : defaultCases
  const count = Number(environment['LYING_SERVER_CASES'] ?? casesOfRun)

  test(`${flow.name}: completes against an honest server and makes the calls it lists`, async () => {
    const report = await flow.run(flow.honest)
    expect(violationsOf(report)).toEqual([])
    expect(report.isComplete).toBe(true)
    expect([...report.server.calls].sort()).toEqual([...flow.calls].sort())
  })

  const timeoutMs = Math.max(120_000, count * 1000)
  test(`${flow.name}: shows no violation in ${count} cases of a lying server`, {
    timeout: timeoutMs,
  }, async () => {
    expect(await findViolations(flow, count)).toEqual({})
  })
}
