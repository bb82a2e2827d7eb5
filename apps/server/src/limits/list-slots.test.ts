import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createListSlots } from './list-slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noRows = () => []

/** A request whose answer is sent when the test says so. */
function aRequest(key = 'ann') {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  return { key, caller: key, closed, close }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('one list is read at a time for each key, and the next once the answer before it was sent', async () => {
  const slots = createListSlots()
  const requests = [aRequest(), aRequest(), aRequest()]
  const other = aRequest('bob')
  const read: number[] = []

  const answers = requests.map((request, index) => slots.run(request, async () => read.push(index), noRows))
  await slots.run(other, async () => 'other', noRows)
  await settle()
  expect(read).toEqual([0])

  requests[0]?.close()
  await settle()
  expect(read).toEqual([0, 1])
  requests[1]?.close()
  await Promise.all(answers)
  expect(read).toEqual([0, 1, 2])
})

test('of 13 concurrent requests 1 is read, 9 wait and 3 get 429 with Retry-After', async () => {
  const slots = createListSlots()
  const outcomes = Array.from({ length: 13 }, () => 'waiting')

  for (const index of outcomes.keys()) {
    slots
      .run(aRequest(), async () => 'read', noRows)
      .then(
        (answer) => outcomes.splice(index, 1, answer),
        ({ status, retryAfterSeconds }) => outcomes.splice(index, 1, `${status} ${retryAfterSeconds}`),
      )
  }
  await settle()

  expect(outcomes).toEqual(['read', ...Array(9).fill('waiting'), ...Array(3).fill('429 1')])
})

test('a request that waits for too long gets 429, and one whose caller hangs up leaves the queue', async () => {
  const slots = createListSlots()
  const first = aRequest()
  const gone = aRequest()
  void slots.run(first, async () => undefined, noRows)

  const left = slots.run(gone, async () => undefined, noRows).catch(({ code }) => code)
  gone.close()
  expect(await left).toBe('RATE_LIMITED')
  const late = slots.run(aRequest(), async () => undefined, noRows).catch(({ code }) => code)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await late).toBe('RATE_LIMITED')

  first.close()
  await settle()
  expect(await slots.run(aRequest(), async () => 'read', noRows)).toBe('read')
})

test('a list that cannot be read releases its slot with its answer', async () => {
  const slots = createListSlots()
  const failing = aRequest()
  await expect(slots.run(failing, () => Promise.reject(new Error('no database')), noRows)).rejects.toThrow(
    'no database',
  )
  failing.close()
  await settle()
  expect(await slots.run(aRequest(), async () => 'read', noRows)).toBe('read')
})
