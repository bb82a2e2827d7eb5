import { pinLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import {
  afterFailure,
  answeredCount,
  decidePinAnswer,
  lockedForMs,
  noFailures,
  type PinFailures,
} from './pin-failures.rules.ts'

const minute = 60_000
const hour = 60 * minute
const limit = pinLimits.sources.address

function failTimes(record: PinFailures, times: number, now: number): PinFailures {
  return Array.from({ length: times }).reduce<PinFailures>((before) => afterFailure(before, limit, now), record)
}

const answered = (count: number) => [{ answered: count, limit }]

test('T084 9 wrong PINs do not lock, the 10th locks for 10 minutes', () => {
  const now = 1_000_000
  expect(lockedForMs(failTimes(noFailures, 9, now), now)).toBe(0)
  expect(lockedForMs(failTimes(noFailures, 10, now), now)).toBe(10 * minute)
})

test('T084 a source that sends 9 wrong PINs every 10 minutes is locked, and gets fewer than 40 tries a day', () => {
  let record = noFailures
  let tries = 0
  let firstLockAt: number | null = null
  for (let now = 0; now < 24 * hour; now += minute) {
    const isTrying = now % (10 * minute) < 9 * minute
    if (!isTrying || lockedForMs(record, now) > 0) continue
    tries += 1
    record = afterFailure(record, limit, now)
    if (lockedForMs(record, now) > 0) firstLockAt ??= now
  }

  expect(firstLockAt).toBe(10 * minute)
  expect(tries).toBeLessThan(40)
})

test('each lock lasts twice as long as the previous one, up to an hour, while the count leaks', () => {
  let now = 0
  let record = failTimes(noFailures, 9, now)
  const locks = Array.from({ length: 6 }, () => {
    record = afterFailure(record, limit, now)
    const lockedMs = lockedForMs(record, now)
    now += lockedMs
    return lockedMs / minute
  })
  const dayLater = now + 24 * hour

  expect(locks).toEqual([10, 20, 40, 60, 60, 60])
  expect(lockedForMs(failTimes(record, 9, dayLater), dayLater)).toBe(0)
  expect(lockedForMs(failTimes(record, 10, dayLater), dayLater)).toBe(10 * minute)
})

test('PINs answered as wrong are counted for 24 hours from the first one', () => {
  const first = afterFailure(noFailures, limit, 0, true)
  const second = afterFailure(first, limit, 23 * hour, true)

  expect([answeredCount(second, 24 * hour - 1), answeredCount(second, 24 * hour)]).toEqual([2, 0])
  expect(answeredCount(afterFailure(noFailures, limit, 0), 1)).toBe(0)
})

test('T086 the budget of the day requires work first, and then conceals the answer from callers with the PIN alone', () => {
  const day = (failures: number, repeats = 0) => decidePinAnswer({ failures, repeats }, answered(0))

  expect([day(0), day(63), day(64), day(87), day(88), day(500)]).toEqual([
    'open',
    'open',
    'work',
    'work',
    'concealed',
    'concealed',
  ])
})

test('sources that have failed share the repeats of the day; others are unaffected when these are used up', () => {
  const quiet = { failures: 0, repeats: 0 }
  const halfUsed = { failures: 20, repeats: pinLimits.answeredRepeats / 2 }
  const used = { failures: 60, repeats: pinLimits.answeredRepeats }

  expect([decidePinAnswer(quiet, answered(9)), decidePinAnswer(quiet, answered(10))]).toEqual(['open', 'concealed'])
  expect([decidePinAnswer(halfUsed, answered(3)), decidePinAnswer(halfUsed, answered(4))]).toEqual([
    'open',
    'concealed',
  ])
  expect([decidePinAnswer(used, answered(1)), decidePinAnswer(used, answered(0))]).toEqual(['concealed', 'open'])
})
