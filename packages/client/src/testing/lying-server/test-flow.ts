import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Flow, violationsIn } from './flow.ts'

// The types of Node are not there where the page's own tests are checked.
const { env: environment } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process

/** Every run of the suite uses these seeds, so that a failure repeats. */
const seeds = [1, 20261122]

/**
 * Every promise that the flow breaks, each with the first case in which it does. A violation counts when it comes again
 * in the same case: four random digits may be in a transcript by chance.
 */
export async function findViolations<Case>(flow: Flow<Case>, count: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const drawn = seeds.flatMap((seed) => fc.sample(flow.cases, { seed, numRuns: Math.ceil(count / seeds.length) }))
  for (const given of [...(flow.known ?? []), ...drawn]) {
    const violations = violationsIn(await flow.run(given))
    const again = violations.length > 0 ? violationsIn(await flow.run(given)) : []
    for (const violation of violations) if (again.includes(violation)) found[violation] ??= JSON.stringify(given)
  }
  return found
}

/**
 * The tests of a flow: it ends well against an honest server, makes the calls it names, and keeps every promise. The
 * number of cases is the one given here, or that of `npm run lying-server -- --cases N`.
 */
export function testFlow<Case>(flow: Flow<Case>, usualCases: number): void {
  const count = Number(environment['LYING_SERVER_CASES'] ?? usualCases)

  test(`${flow.name}: reaches its end against an honest server and makes the calls it covers`, async () => {
    const report = await flow.run(flow.honest)
    expect(violationsIn(report)).toEqual([])
    expect(report.isComplete).toBe(true)
    expect([...report.server.calls].sort()).toEqual([...flow.calls].sort())
  })

  const oneSecondEach = Math.max(120_000, count * 1000)
  test(`${flow.name}: keeps every promise in ${count} cases of a server that lies`, {
    timeout: oneSecondEach,
  }, async () => {
    expect(await findViolations(flow, count)).toEqual({})
  })
}
