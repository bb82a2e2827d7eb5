import { expect, test } from 'vitest'
import { axisTicks } from './axis-ticks.ts'

const megabyte = 1024 ** 2

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 5, 10]],
  [37, [0, 20, 40]],
  [60, [0, 20, 40, 60]],
  [61, [0, 50, 100]],
  [1501, [0, 1000, 2000]],
])('axisTicks: counts up to %i have round ticks', (highest, ticks) => {
  expect(axisTicks(highest, 'count')).toEqual(ticks)
})

test.each([
  [0, [0, 1]],
  [800, [0, 500, 1000]],
  [950, [0, 512, 1024]],
  [37 * megabyte, [0, 20 * megabyte, 40 * megabyte]],
  [1.2 * megabyte, [0, 0.5 * megabyte, megabyte, 1.5 * megabyte]],
  [1000 * megabyte, [0, 512 * megabyte, 1024 * megabyte]],
  [2500 * 1024 ** 3, [0, 1000 * 1024 ** 3, 2000 * 1024 ** 3, 3000 * 1024 ** 3]],
])('axisTicks: %i bytes have ticks that are round in their unit', (highest, ticks) => {
  expect(axisTicks(highest, 'bytes')).toEqual(ticks)
})

test('axisTicks: at most three steps reach any value', () => {
  for (let highest = 1; highest < 1e12; highest = Math.ceil(highest * 1.03)) {
    for (const unit of ['count', 'bytes'] as const) {
      const ticks = axisTicks(highest, unit)
      expect(ticks.length).toBeLessThanOrEqual(4)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }
  }
})
