import { LiveEvent } from '@sallyport/contract/live'
import { UploadSocketAnswer } from '@sallyport/contract/upload-socket'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeParse } from 'zod/v4/core'
import { arbitraryOf } from './arbitrary.ts'
import { contractCalls } from './called-endpoint.ts'
import { coveredCalls, drawnMessages } from './covered-calls.ts'
import { anyUploadAnswer } from './honest-upload-socket.ts'
import { notCovered } from './not-covered.ts'
import { anySignal, signalTypes, typesOf } from './signals.ts'

const covered = new Set<string>(Object.values(coveredCalls).flat())
const excused = notCovered.flatMap(({ calls }) => calls)

test('every call of the contract is covered by a flow, or listed with the reason why it is not', () => {
  const known = contractCalls.map(({ name }) => name)
  const missing = known.filter((name) => !covered.has(name) && !excused.includes(name))
  expect(missing).toEqual([])
  expect(excused.filter((name) => covered.has(name) || !known.includes(name))).toEqual([])
  expect(notCovered.every(({ reason }) => reason.length > 20)).toBe(true)
})

test('with a number of cases given, what is covered and what is not is printed', () => {
  const cases = Number(process.env['LYING_SERVER_CASES'] ?? 0)
  const flows = Object.entries(coveredCalls)
  const lines = [
    `${flows.length} flows with ${cases} cases each: ${flows.length * cases} cases`,
    ...flows.map(([flow, calls]) => `  ${flow}: ${calls.join(', ')}`),
    `covered: ${covered.size} calls and messages; not covered: ${excused.length} calls`,
    ...notCovered.map(({ reason, calls }) => `  ${calls.length}: ${reason}`),
  ]
  if (cases > 0) process.stdout.write(`${lines.join('\n')}\n`)
  expect(lines.length).toBe(flows.length + notCovered.length + 2)
})

test('every kind of message that a server sends over a socket is among those that are drawn', () => {
  const drawn = (arbitrary: fc.Arbitrary<unknown>) =>
    new Set(fc.sample(arbitrary, { seed: 1, numRuns: 1000 }).map((message) => (message as { type: string }).type))
  expect([...drawn(anySignal)].sort()).toEqual([...signalTypes].sort())
  expect([...drawn(arbitraryOf(LiveEvent))].sort()).toEqual([...typesOf(LiveEvent)].sort())
  expect([...drawn(anyUploadAnswer)].sort()).toEqual([...typesOf(UploadSocketAnswer)].sort())
  const named = [...covered].filter((name) => !/^[A-Z]/.test(name)).map((name) => name.split(' ')[0])
  expect(named.every((kind) => drawnMessages.some((one) => one === kind))).toBe(true)
})

test('what is drawn from a schema of the contract is what the schema accepts', () => {
  const replies = contractCalls.flatMap(({ endpoint }) => ('kind' in endpoint.reply ? [] : [endpoint.reply]))
  for (const schema of [...replies, LiveEvent]) {
    for (const value of fc.sample(arbitraryOf(schema as never), { seed: 1, numRuns: 20 })) {
      expect(safeParse(schema as never, value).success).toBe(true)
    }
  }
})
