import { pinLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { afterFailure, freeFailures, lockedForMs, noFailures, type PinFailures } from './pin-failures.rules.ts'

const minute = 60_000
const limit = pinLimits.failuresPerAddress

function failTimes(record: PinFailures, times: number, now: number): PinFailures {
  return Array.from({ length: times }).reduce<PinFailures>((before) => afterFailure(before, limit, now), record)
}

test('nine wrong PINs lock nobody out, the tenth does until its ten minutes are over', () => {
  const now = 1_000_000
  expect(lockedForMs(failTimes(noFailures, 9, now), now)).toBe(0)
  expect(lockedForMs(failTimes(noFailures, 10, now), now)).toBe(10 * minute)
})

test('each lock lasts twice as long as the one before, up to an hour', () => {
  let now = 0
  let record = noFailures
  const locks = Array.from({ length: 9 }, () => {
    record = failTimes(record, 10, now)
    const lockedMs = lockedForMs(record, now)
    now += lockedMs
    return lockedMs / minute
  })

  expect(locks).toEqual([10, 10, 10, 10, 16, 32, 60, 60, 60])
})

test('wrong PINs that lie further apart than ten minutes are forgotten', () => {
  let record = noFailures
  for (let count = 0; count < 50; count += 1) record = afterFailure(record, limit, count * 2 * minute)

  expect(record.locks).toBe(0)
})

test('T088 a hundred thousand guesses from a thousand addresses come to no more tries than the limits allow', () => {
  const sources = new Map<number, PinFailures>()
  const dayMs = 24 * 60 * minute
  let tried = 0
  for (let guess = 0; guess < 100_000; guess += 1) {
    const now = Math.floor((guess / 100_000) * dayMs)
    const source = guess % 1000
    const record = sources.get(source) ?? noFailures
    // Beyond the free ones of the day, the PIN alone gets a stranger no answer at all.
    if (lockedForMs(record, now) > 0 || tried > freeFailures(0)) continue
    tried += 1
    sources.set(source, afterFailure(record, limit, now))
  }

  expect(tried).toBe(pinLimits.freeFailuresPerDay + 1)
  const chanceOfOneHit = 1 - (1 - 10 / 900_000) ** tried
  expect(chanceOfOneHit).toBeLessThan(0.002)
})

test('where many people join, more of them may mistype', () => {
  expect([freeFailures(0), freeFailures(1000), freeFailures(5000)]).toEqual([100, 100, 500])
})
