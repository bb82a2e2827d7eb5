import { expect, test } from 'vitest'
import { blocksPurchase, licencesOfSubscriptions, planEndOf, type SubscriptionSnapshot } from './subscription.rules.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3
const start = Date.UTC(2027, 0, 31)
const end = Date.UTC(2027, 1, 28)

const snapshot = (changes: Partial<SubscriptionSnapshot>): SubscriptionSnapshot => ({
  status: 'active',
  priceCents: 1000,
  periodStart: start,
  periodEnd: end,
  cancelsAtPeriodEnd: false,
  endedAt: null,
  ...changes,
})

test.for([
  ['active', false, end + 3 * day],
  ['active', true, end],
  ['trialing', false, end + 3 * day],
  ['trialing', true, end],
  ['past_due', false, start + 14 * day],
  ['past_due', true, start + 14 * day],
  ['unpaid', false, start + 14 * day],
  ['paused', false, start + 14 * day],
  ['incomplete', false, null],
  ['incomplete_expired', false, null],
  ['a new word', false, null],
  ['canceled', false, end - day],
] as const)(
  'PLN-05 a subscription that is %s, cancelled: %s, gives a plan until %s',
  ([status, cancelled, expected]) => {
    const endedAt = status === 'canceled' ? end - day : null

    expect(planEndOf(snapshot({ status, cancelsAtPeriodEnd: cancelled, endedAt }))).toBe(expected)
  },
)

test('PLN-05 a paid plan is followed by a trial of 7 days and 1 GB', () => {
  expect(licencesOfSubscriptions([snapshot({ cancelsAtPeriodEnd: true })])).toEqual([
    { source: 'subscription', type: 'personal', storageBytes: 50 * gigabyte, expiresAt: end },
    { source: 'after-paid', type: 'trial', storageBytes: gigabyte, expiresAt: end + 7 * day },
  ])
})

test('PLN-05 of several subscriptions the one that ends last counts', () => {
  const older = snapshot({ status: 'canceled', endedAt: start - 30 * day })

  expect(licencesOfSubscriptions([older, snapshot({})]).map(({ expiresAt }) => expiresAt)).toEqual([
    end + 3 * day,
    end + 10 * day,
  ])
  expect(licencesOfSubscriptions([snapshot({ status: 'incomplete' })])).toEqual([])
})

test('PLN-04 a subscription blocks another purchase until it has ended, also a cancelled one', () => {
  expect(
    ['active', 'past_due', 'canceled', 'incomplete'].map((status) => blocksPurchase(snapshot({ status }))),
  ).toEqual([true, true, false, false])
  expect(blocksPurchase(snapshot({ cancelsAtPeriodEnd: true }))).toBe(true)
})
