import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findUnlisted } from './find-unlisted.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('uploaded files that the live channel announces within 0.5 s cause no refetch', () => {
  const listed = new Set<string>()
  const onUnlisted = vi.fn()
  const { add } = findUnlisted({ isListed: (id) => listed.has(id), onUnlisted })

  add(['a'])
  vi.advanceTimersByTime(499)
  add(['b'])
  listed.add('a').add('b')
  vi.advanceTimersByTime(5000)

  expect(onUnlisted).not.toHaveBeenCalled()
})

test('an uploaded file that is not announced within 1 s causes one refetch', () => {
  const onUnlisted = vi.fn()
  const { add } = findUnlisted({ isListed: (id) => id !== 'b', onUnlisted })

  add(['a', 'b'])
  vi.advanceTimersByTime(1000)
  const callsAfterOneSecond = onUnlisted.mock.calls.length
  vi.advanceTimersByTime(5000)

  expect(callsAfterOneSecond).toBe(1)
  expect(onUnlisted).toHaveBeenCalledTimes(1)
})

test('nothing is checked after stop', () => {
  const onUnlisted = vi.fn()
  const { add, stop } = findUnlisted({ isListed: () => false, onUnlisted })

  add(['a'])
  stop()
  vi.advanceTimersByTime(5000)

  expect(onUnlisted).not.toHaveBeenCalled()
})
