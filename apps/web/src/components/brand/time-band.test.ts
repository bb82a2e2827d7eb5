import { expect, test } from 'vitest'
import { timeBand } from './time-band.ts'

const minute = 60_000

test('1 hour or more uses the day scale', () => {
  expect(timeBand(60 * minute, 0)).toBe('day')
  expect(timeBand(26 * 60 * minute, 0)).toBe('day')
})

test('5 minutes to less than 1 hour uses the hour scale', () => {
  expect(timeBand(60 * minute - 1, 0)).toBe('hour')
  expect(timeBand(5 * minute, 0)).toBe('hour')
})

test('less than 5 minutes uses the minutes scale', () => {
  expect(timeBand(5 * minute - 1, 0)).toBe('minutes')
  expect(timeBand(1, 0)).toBe('minutes')
})

test('the instant of expiry counts as over', () => {
  expect(timeBand(minute, minute)).toBe('over')
  expect(timeBand(0, minute)).toBe('over')
})
