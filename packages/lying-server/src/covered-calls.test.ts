import { LiveEvent } from '@sallyport/contract/live'
import { UploadSocketServerMessage } from '@sallyport/contract/upload-socket'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeParse } from 'zod/v4/core'
import { arbitraryOf } from './arbitrary.ts'
import { contractCalls } from './called-endpoint.ts'
import { coveredCalls, generatedMessages } from './covered-calls.ts'
import { anyUploadAnswer } from './honest-upload-socket.ts'
import { anySignal, signalTypes, typesOf } from './signals.ts'
import { uncoveredCalls } from './uncovered-calls.ts'

const covered = new Set<string>(Object.values(coveredCalls).flat())
const uncovered = uncoveredCalls.flatMap(({ calls }) => calls)

test('every call of the contract is either covered by a flow or listed with a reason', () => {
  const known = contractCalls.map(({ name }) => name)
  const missing = known.filter((name) => !covered.has(name) && !uncovered.includes(name))
  expect(missing).toEqual([])
  expect(uncovered.filter((name) => covered.has(name) || !known.includes(name))).toEqual([])
  expect(uncoveredCalls.every(({ reason }) => reason.length > 20)).toBe(true)
})

test('with LYING_SERVER_CASES the covered and uncovered calls are printed', () => {
  const cases = Number(process.env['LYING_SERVER_CASES'] ?? 0)
  const flows = Object.entries(coveredCalls)
  const lines = [
    `${flows.length} flows with ${cases} cases each: ${flows.length * cases} cases`,
    ...flows.map(([flow, calls]) => `  ${flow}: ${calls.join(', ')}`),
    `covered: ${covered.size} calls and messages; not covered: ${uncovered.length} calls`,
    ...uncoveredCalls.map(({ reason, calls }) => `  ${calls.length}: ${reason}`),
  ]
  if (cases > 0) process.stdout.write(`${lines.join('\n')}\n`)
  expect(lines.length).toBe(flows.length + uncoveredCalls.length + 2)
})

test('every type of socket message from the server is generated', () => {
  const generatedTypes = (arbitrary: fc.Arbitrary<unknown>) =>
    new Set(fc.sample(arbitrary, { seed: 1, numRuns: 1000 }).map((message) => (message as { type: string }).type))
  expect([...generatedTypes(anySignal)].sort()).toEqual([...signalTypes].sort())
  expect([...generatedTypes(arbitraryOf(LiveEvent))].sort()).toEqual([...typesOf(LiveEvent)].sort())
  expect([...generatedTypes(anyUploadAnswer)].sort()).toEqual([...typesOf(UploadSocketServerMessage)].sort())
  const messageTypes = [...covered].filter((name) => !/^[A-Z]/.test(name)).map((name) => name.split(' ')[0])
  expect(messageTypes.every((kind) => generatedMessages.some((one) => one === kind))).toBe(true)
})

test('generated values are accepted by their schema', () => {
  const replies = contractCalls.flatMap(({ endpoint }) => ('kind' in endpoint.reply ? [] : [endpoint.reply]))
  for (const schema of [...replies, LiveEvent]) {
    for (const value of fc.sample(arbitraryOf(schema as never), { seed: 1, numRuns: 20 })) {
      expect(safeParse(schema as never, value).success).toBe(true)
    }
  }
})
