import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchUpdates } from './update-batches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function startBatches() {
  const sizes: number[] = []
  const { add, stop } = batchUpdates<number>((updates) => sizes.push(updates.length))
  /** Adds one update at each interval. */
  const addEvery = (milliseconds: number, count: number) => {
    for (let index = 0; index < count; index += 1) {
      add(index)
      vi.advanceTimersByTime(milliseconds)
    }
  }
  return { sizes, add, addEvery, stop }
}

test('update batches: an update is applied at once, and the next ones within 500 ms together', () => {
  const { sizes, add } = startBatches()

  add(1)
  add(2)
  add(3)
  const atOnce = [...sizes]
  vi.advanceTimersByTime(500)

  expect(atOnce).toEqual([1])
  expect(sizes).toEqual([1, 2])
})

test('update batches: updates that come slowly are applied one by one', () => {
  const { sizes, addEvery } = startBatches()

  addEvery(600, 4)

  expect(sizes).toEqual([1, 1, 1, 1])
})

test('update batches: 100 updates a second are applied every 3 seconds, and the last ones when no more come', () => {
  const { sizes, addEvery } = startBatches()

  addEvery(10, 1000)
  vi.advanceTimersByTime(500)

  expect(sizes).toHaveLength(5)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1000)
})

test('update batches: nothing is applied after stop', () => {
  const { sizes, add, stop } = startBatches()

  add(1)
  add(2)
  stop()
  vi.advanceTimersByTime(5000)

  expect(sizes).toEqual([1])
})
