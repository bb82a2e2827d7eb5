import { expect, test } from 'vitest'
import { deriveLicence, getLicenceStatus, withTrialAfterPaid } from '../accounts/licences/licence.rules.ts'
import { blocksPurchase, licencesOfSubscriptions, planEndOf, type SubscriptionSnapshot } from './subscription.rules.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3
const start = Date.UTC(2027, 0, 31)
const end = Date.UTC(2027, 1, 28)

const snapshot = (changes: Partial<SubscriptionSnapshot>): SubscriptionSnapshot => ({
  status: 'active',
  priceCents: 1000,
  quantity: 1,
  periodStart: start,
  periodEnd: end,
  cancelsAtPeriodEnd: false,
  endedAt: null,
  customerId: null,
  ...changes,
})

/** When a plan ends. Where there is none, its end is taken for that of the period. */
const planEnds = {
  'period end': end,
  'period end + 3 days': end + 3 * day,
  'period start + 14 days': start + 14 * day,
  'its own end': end - day,
  never: null,
} as const

/** The licence that is in force at a time. */
function licenceAt(now: number, subscription: SubscriptionSnapshot): string {
  const licence = deriveLicence(withTrialAfterPaid(licencesOfSubscriptions([subscription])), now)
  return licence && getLicenceStatus(licence, now) === 'in-force' ? licence.type : 'none'
}

// status, what happens at the end of the period, end of the plan, licence before it, from then on, 7 days later, purchase
test.for([
  ['active', 'renewing', 'period end + 3 days', 'personal', 'trial', 'none', 'blocked'],
  ['active', 'cancelling', 'period end', 'personal', 'trial', 'none', 'blocked'],
  ['trialing', 'renewing', 'period end + 3 days', 'personal', 'trial', 'none', 'blocked'],
  ['trialing', 'cancelling', 'period end', 'personal', 'trial', 'none', 'blocked'],
  ['past_due', 'renewing', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['past_due', 'cancelling', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['unpaid', 'renewing', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['unpaid', 'cancelling', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['paused', 'renewing', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['paused', 'cancelling', 'period start + 14 days', 'personal', 'trial', 'none', 'blocked'],
  ['incomplete', 'renewing', 'never', 'none', 'none', 'none', 'allowed'],
  ['incomplete', 'cancelling', 'never', 'none', 'none', 'none', 'allowed'],
  ['incomplete_expired', 'renewing', 'never', 'none', 'none', 'none', 'allowed'],
  ['incomplete_expired', 'cancelling', 'never', 'none', 'none', 'none', 'allowed'],
  ['canceled', 'renewing', 'its own end', 'personal', 'trial', 'none', 'allowed'],
  ['canceled', 'cancelling', 'its own end', 'personal', 'trial', 'none', 'allowed'],
  ['a new word', 'renewing', 'never', 'none', 'none', 'none', 'allowed'],
  ['a new word', 'cancelling', 'never', 'none', 'none', 'none', 'allowed'],
] as const)(
  'PLN-05 PLN-06 T220 subscription %s, %s: plan until %s, licence %s, then %s, after 7 days %s; purchase %s',
  ([status, renewal, planEnd, before, from, after, purchase]) => {
    const endedAt = status === 'canceled' ? planEnds['its own end'] : null
    const subscription = snapshot({ status, cancelsAtPeriodEnd: renewal === 'cancelling', endedAt })
    const endsAt = planEnds[planEnd] ?? end
    const moments = [endsAt - 1, endsAt, endsAt + 7 * day - 1, endsAt + 7 * day]

    expect(planEndOf(subscription)).toBe(planEnds[planEnd])
    expect(moments.map((now) => licenceAt(now, subscription))).toEqual([before, from, from, after])
    expect(blocksPurchase(subscription)).toBe(purchase === 'blocked')
  },
)

test('PLN-05 a canceled subscription without an end of its own gives no plan', () => {
  expect(licencesOfSubscriptions([snapshot({ status: 'canceled' })])).toEqual([])
})

test('PLN-05 a paid plan is followed by a trial of 7 days and 1 GB', () => {
  expect(withTrialAfterPaid(licencesOfSubscriptions([snapshot({ cancelsAtPeriodEnd: true })]))).toEqual([
    { source: 'subscription', type: 'personal', storageBytes: 50 * gigabyte, expiresAt: end },
    { source: 'after-paid', type: 'trial', storageBytes: gigabyte, expiresAt: end + 7 * day },
  ])
})

test('PLN-05 of several subscriptions the one that ends last counts', () => {
  const older = snapshot({ status: 'canceled', endedAt: start - 30 * day })

  expect(licencesOfSubscriptions([older, snapshot({})]).map(({ expiresAt }) => expiresAt)).toEqual([end + 3 * day])
  expect(licencesOfSubscriptions([snapshot({ status: 'incomplete' })])).toEqual([])
})

test('PLN-04 a subscription blocks another purchase until it has ended, also a cancelled one', () => {
  expect(
    ['active', 'past_due', 'canceled', 'incomplete'].map((status) => blocksPurchase(snapshot({ status }))),
  ).toEqual([true, true, false, false])
  expect(blocksPurchase(snapshot({ cancelsAtPeriodEnd: true }))).toBe(true)
})
