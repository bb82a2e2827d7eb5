import { expect, test } from 'vitest'
import { newPrice } from '../objects/catalog.ts'
import { newSubscription } from '../objects/subscription.ts'
import { periodEndAfter } from './periods.ts'
import { firstItem, prorate } from './proration.ts'

test('a proration is rounded half up to the cent', () => {
  const price = newPrice({
    product: 'prod_1',
    currency: 'usd',
    unitAmount: 1,
    interval: 'month',
    intervalCount: 1,
    lookupKey: null,
    nickname: null,
    metadata: {},
    active: true,
    created: 0,
  })
  const subscription = newSubscription({
    customer: 'cus_1',
    lines: [{ price, quantity: 1 }],
    metadata: {},
    created: 0,
    periodEnd: 1000,
    automaticTax: false,
  })
  const amountsAt = (at: number) =>
    prorate(subscription, new Map([[firstItem(subscription).id, 3]]), at).map(({ amount }) => amount)

  expect(amountsAt(0)).toEqual([-1, 3])
  expect(amountsAt(499)).toEqual([-1, 2])
  expect(amountsAt(500)).toEqual([-1, 2])
  expect(amountsAt(501)).toEqual([0, 1])
  expect(amountsAt(1000)).toEqual([0, 0])
})

test('a month ends on the day of the anchor, or on the last day of a shorter month', () => {
  const anchor = Date.UTC(2028, 0, 31) / 1000
  const monthly = { interval: 'month', interval_count: 1 } as const
  const ends = [anchor]
  for (let count = 0; count < 4; count += 1) ends.push(periodEndAfter(ends.at(-1) ?? 0, anchor, monthly))

  expect(ends.map((end) => new Date(end * 1000).toISOString().slice(0, 10))).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
    '2028-05-31',
  ])
  expect(periodEndAfter(anchor, anchor, { interval: 'year', interval_count: 1 })).toBe(Date.UTC(2029, 0, 31) / 1000)
})
