import { expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

test('systemClock: a device clock that is set does not change what has elapsed', () => {
  const before = systemClock.now()
  const deviceNow = vi.spyOn(Date, 'now').mockReturnValue(before + 3 * 3_600_000)

  const after = systemClock.now()

  deviceNow.mockRestore()
  expect(after - before).toBeGreaterThanOrEqual(0)
  expect(after - before).toBeLessThan(60_000)
  expect(Number.isInteger(after)).toBe(true)
})
