import { type Check, expectCryptoError, expectEqual } from './check.ts'
import { performers } from './perform.ts'
import type { VectorCase } from './vector-case.ts'
import cases from './vectors/cases.json' with { type: 'json' }

export const vectorCases = cases as readonly unknown[] as readonly VectorCase[]

/** One check for each case of the vector file. */
export const caseChecks: readonly Check[] = vectorCases.map((vector) => ({
  name: vector.name,
  run: () => check(vector),
}))

async function check(vector: VectorCase): Promise<void> {
  const perform = performers[vector.operation] as (input: unknown) => unknown
  if (vector.expect === 'ok') {
    expectEqual(sortKeys(await perform(vector.input)), sortKeys(vector.output))
    return
  }
  const error = await expectCryptoError(() => perform(vector.input), vector.expect)
  if (vector.recordIndex !== undefined) expectEqual(error.recordIndex, vector.recordIndex)
  if (vector.mostPlainBytes !== undefined) {
    const { plainBytes } = error as unknown as { plainBytes: number }
    if (!(plainBytes <= vector.mostPlainBytes))
      throw new Error(`${plainBytes} plain bytes were emitted of a broken file`)
  }
}

const sortKeys = (output: unknown): unknown =>
  Object.fromEntries(Object.entries(output as object).sort(([left], [right]) => (left < right ? -1 : 1)))
