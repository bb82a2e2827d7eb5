import { expect, test } from 'vitest'
import { timeBand } from './time-band.ts'

const minute = 60_000

test('an hour or more is read on the scale of a day', () => {
  expect(timeBand(60 * minute, 0)).toBe('day')
  expect(timeBand(26 * 60 * minute, 0)).toBe('day')
})

test('less than an hour is read on the scale of an hour', () => {
  expect(timeBand(60 * minute - 1, 0)).toBe('hour')
  expect(timeBand(5 * minute, 0)).toBe('hour')
})

test('less than five minutes is read on the scale of five minutes', () => {
  expect(timeBand(5 * minute - 1, 0)).toBe('minutes')
  expect(timeBand(1, 0)).toBe('minutes')
})

test('the very instant of expiry counts as over', () => {
  expect(timeBand(minute, minute)).toBe('over')
  expect(timeBand(0, minute)).toBe('over')
})
