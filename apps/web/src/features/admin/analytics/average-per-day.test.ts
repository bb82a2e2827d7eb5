import { expect, test } from 'vitest'
import { averagePerDay } from './average-per-day.ts'

const days = [
  { day: '2026-11-26', count: 0 },
  { day: '2026-11-27', count: 4 },
  { day: '2026-11-28', count: 3 },
]

test('averagePerDay: leaves out the days before counting began, and today', () => {
  expect(averagePerDay(days, '2026-11-27')).toBe(4)
  expect(averagePerDay(days, '2026-01-01')).toBe(2)
  expect(averagePerDay(days, '2026-11-28')).toBe(3)
  expect(averagePerDay([], '2026-01-01')).toBe(0)
})
