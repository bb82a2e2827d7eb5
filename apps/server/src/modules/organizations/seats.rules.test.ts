import { expect, test } from 'vitest'
import { type SeatSubscription, seatEndOf, seatsAt } from './seats.rules.ts'

const now = Date.UTC(2027, 0, 15)
const day = 24 * 3_600_000
const paid: SeatSubscription = {
  quantity: 7,
  priceCents: 800,
  cancelsAtPeriodEnd: false,
  isOverdue: false,
  periodEnd: now + 10 * day,
  planEnd: now + 13 * day,
}

test.for([
  ['a subscription', paid, [], 'active', null, 7, 5600],
  ['a cancelled one', { ...paid, cancelsAtPeriodEnd: true, planEnd: now + day }, [], 'ending', now + day, 7, 5600],
  ['an unpaid one', { ...paid, isOverdue: true }, [], 'past_due', now + 13 * day, 7, 5600],
  ['one that has ended', { ...paid, planEnd: now }, [], 'ended', now, 0, 0],
  ['one that gives no plan', { ...paid, planEnd: null }, [], 'ended', null, 0, 0],
  ['a grant without an end', null, [{ seats: 12, expiresAt: null }], 'active', null, 12, 0],
  ['a grant of the usual number', null, [{ seats: null, expiresAt: now + day }], 'ending', now + day, 5, 0],
  ['a grant that has ended', null, [{ seats: 3, expiresAt: now }], 'ended', now, 0, 0],
  ['both', paid, [{ seats: 2, expiresAt: now + day }], 'active', null, 9, 5600],
  [
    'a cancelled one and a longer grant',
    { ...paid, cancelsAtPeriodEnd: true, planEnd: now + day },
    [{ seats: 2, expiresAt: now + 2 * day }],
    'ending',
    now + 2 * day,
    9,
    5600,
  ],
  ['nothing', null, [], 'ended', null, 0, 0],
] as const)('ORG-01 PLN-06 seats of %s', ([, subscription, grants, status, endsAt, total, monthlyCents]) => {
  expect(seatsAt({ subscription, grants }, now)).toMatchObject({ status, endsAt, total, monthlyCents })
})

test('PLN-06 a seat ends with the last of what gives it, and never if one of them has no end', () => {
  expect(seatEndOf({ subscription: paid, grants: [] })).toBe(now + 13 * day)
  expect(seatEndOf({ subscription: paid, grants: [{ seats: 1, expiresAt: now + 20 * day }] })).toBe(now + 20 * day)
  expect(seatEndOf({ subscription: paid, grants: [{ seats: 1, expiresAt: null }] })).toBeNull()
  expect(seatEndOf({ subscription: null, grants: [] })).toBeUndefined()
})
