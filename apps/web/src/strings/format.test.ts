import { expect, test } from 'vitest'
import { formatAgo } from '#/strings/durations.ts'
import { formatDate, formatDateTime, formatUtcDay, toDate } from '#/strings/format.ts'

test('a time is formatted relative to now in the largest unit that fits', () => {
  const minute = 60_000
  const ago = [0, minute - 1, minute, 90 * minute, 24 * 60 * minute, 72 * 60 * minute, -minute]

  expect(ago.map((time) => formatAgo(-time, 0))).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    '3 days ago',
    'just now',
  ])
})

test('a time from the server that no date has is formatted without an error', () => {
  for (const time of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    expect([formatDate(time), formatDateTime(time)].join()).toContain('1970')
    expect(toDate(time).toISOString()).toBe('1970-01-01T00:00:00.000Z')
  }
})

test('formatUtcDay: a day is the same in every time zone', () => {
  expect(formatUtcDay('2026-11-28')).toBe('28 Nov 2026')
  expect(formatUtcDay('2026-11-01')).toBe('1 Nov 2026')
})
