import { expect, test } from 'vitest'
import { formatOptionalDate } from './optional-date.ts'

test('ADM-03 formatOptionalDate: a missing and an unreadable date have texts of their own', () => {
  const times = [Date.UTC(2026, 10, 28, 12), null, 8.64e15 + 1, -8.64e15 - 1, Number.NaN]

  expect(times.map(formatOptionalDate)).toEqual([
    '28 November 2026',
    'Not available (test mode)',
    'Invalid date',
    'Invalid date',
    'Invalid date',
  ])
})
