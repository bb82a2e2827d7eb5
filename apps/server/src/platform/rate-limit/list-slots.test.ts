import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createListSlots } from './list-slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noRows = () => []

/** A request whose response is sent when the test calls `close`. */
function createRequest(key = 'ann') {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  return { key, caller: key, closed, close }
}

const flush = () => vi.advanceTimersByTimeAsync(0)

test('one list per key is read at a time, and the next one once the response before it was sent', async () => {
  const slots = createListSlots()
  const requests = [createRequest(), createRequest(), createRequest()]
  const other = createRequest('bob')
  const read: number[] = []

  const answers = requests.map((request, index) => slots.run(request, async () => read.push(index), noRows))
  await slots.run(other, async () => 'other', noRows)
  await flush()
  expect(read).toEqual([0])

  requests[0]?.close()
  await flush()
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
      .run(createRequest(), async () => 'read', noRows)
      .then(
        (answer) => outcomes.splice(index, 1, answer),
        ({ status, retryAfterSeconds }) => outcomes.splice(index, 1, `${status} ${retryAfterSeconds}`),
      )
  }
  await flush()

  expect(outcomes).toEqual(['read', ...Array(9).fill('waiting'), ...Array(3).fill('429 1')])
})

test('a request that waits too long gets 429, and one whose client disconnects leaves the queue', async () => {
  const slots = createListSlots()
  const first = createRequest()
  const disconnecting = createRequest()
  void slots.run(first, async () => undefined, noRows)

  const cancelled = slots.run(disconnecting, async () => undefined, noRows).catch(({ code }) => code)
  disconnecting.close()
  expect(await cancelled).toBe('RATE_LIMITED')
  const late = slots.run(createRequest(), async () => undefined, noRows).catch(({ code }) => code)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await late).toBe('RATE_LIMITED')

  first.close()
  await flush()
  expect(await slots.run(createRequest(), async () => 'read', noRows)).toBe('read')
})

test('a list that fails releases its slot with its response', async () => {
  const slots = createListSlots()
  const failing = createRequest()
  await expect(slots.run(failing, () => Promise.reject(new Error('no database')), noRows)).rejects.toThrow(
    'no database',
  )
  failing.close()
  await flush()
  expect(await slots.run(createRequest(), async () => 'read', noRows)).toBe('read')
})
