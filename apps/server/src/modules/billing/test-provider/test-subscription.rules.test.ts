import { expect, test } from 'vitest'
import { describeTestSubscription, periodUntil, prorate } from './test-subscription.rules.ts'

const startedAt = Date.UTC(2027, 0, 31, 10)
const describe = (endsAt: number | null, now: number) =>
  describeTestSubscription({ priceCents: 1000, quantity: 1, startedAt, endsAt }, now)

test('a test subscription renews each month on its day, or on the last one of a shorter month', () => {
  const ends = [Date.UTC(2027, 1, 28, 10), Date.UTC(2027, 2, 31, 10), Date.UTC(2027, 3, 30, 10)]

  expect(describe(null, startedAt)).toMatchObject({ status: 'active', periodStart: startedAt, periodEnd: ends[0] })
  expect(describe(null, Number(ends[0]) - 1)).toMatchObject({ periodEnd: ends[0] })
  expect(describe(null, Number(ends[0]))).toMatchObject({ periodStart: ends[0], periodEnd: ends[1] })
  expect(describe(null, Number(ends[1]))).toMatchObject({ status: 'active', periodEnd: ends[2] })
})

test('a cancelled test subscription is active until the end of its period', () => {
  const end = Date.UTC(2027, 1, 28, 10)

  expect(describe(end, end - 1)).toMatchObject({ status: 'active', cancelsAtPeriodEnd: true, endedAt: null })
  expect(describe(end, end)).toMatchObject({ status: 'canceled', periodStart: startedAt, periodEnd: end, endedAt: end })
})

test('ADM-04 an extended period ends on the day asked for, or on the next one with a day a month before', () => {
  const noon = (month: number, day: number) => Date.UTC(2027, month, day, 12)

  expect(periodUntil(noon(3, 11))).toEqual({ start: noon(2, 11), end: noon(3, 11) })
  expect(periodUntil(noon(2, 30))).toEqual({ start: noon(2, 1), end: noon(3, 1) })
})

test.for([
  ['its start', 0, 1600],
  ['its middle', 14 * 86_400, 800],
  ['a rest that costs half a cent', 28 * 86_400 - 43_848, 29],
  ['its last second', 28 * 86_400 - 1, 0],
] as const)('ORG-03 two more seats cost at %s, %i seconds into a period of 28 days, %i cents', ([, seconds, cents]) => {
  const periodStart = Date.UTC(2027, 1, 1)
  const periodEnd = Date.UTC(2027, 2, 1)

  expect(
    prorate({ additionalSeats: 2, priceCents: 800, periodStart, periodEnd, at: periodStart + seconds * 1000 }),
  ).toBe(cents)
})

test('ORG-03 half a cent is rounded up', () => {
  const periodEnd = Date.UTC(2027, 2, 1)
  const rest = { periodStart: Date.UTC(2027, 1, 1), periodEnd, at: periodEnd - 43_848_000 }

  expect(prorate({ ...rest, additionalSeats: 1, priceCents: 800 })).toBe(15)
})
