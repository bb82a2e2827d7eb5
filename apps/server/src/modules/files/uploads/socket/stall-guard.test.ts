import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStallGuard } from './stall-guard.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('T134 an upload that transfers less than 1 KB per period is cut off', () => {
  let cuts = 0
  const guard = createStallGuard(() => {
    cuts += 1
  }, 30)
  const drip = setInterval(() => guard.count(1), 1)

  vi.advanceTimersByTime(100)
  clearInterval(drip)
  guard.stop()

  expect(cuts).toBe(3)
})

test('an upload that makes progress or has ended is not cut off', () => {
  let cuts = 0
  const guard = createStallGuard(() => {
    cuts += 1
  }, 30)
  const flow = setInterval(() => guard.count(64 * 1024), 1)

  vi.advanceTimersByTime(100)
  clearInterval(flow)
  guard.stop()
  vi.advanceTimersByTime(60)

  expect(cuts).toBe(0)
})
