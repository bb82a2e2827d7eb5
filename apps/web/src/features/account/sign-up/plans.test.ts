import { expect, test } from 'vitest'
import { offeredPlans, trialDaysOf } from './plans.ts'

const gigabyte = 1024 ** 3
const trial = { type: 'trial', name: 'Trial', monthlyCents: 0, storageBytes: gigabyte, trialDays: 7 }
const personal = { type: 'personal', name: 'Personal', monthlyCents: 1000, storageBytes: 50 * gigabyte }
const business = { type: 'business', name: 'Business', monthlyCents: 800, storageBytes: 50 * gigabyte }

test('the cards show price, term and storage as configured on the server (ACC-08)', () => {
  const [first, second] = offeredPlans([trial, personal], false)

  expect(first).toMatchObject({ price: '$0', term: 'for 7 days', isRecommended: false })
  expect(first?.features).toContain('1 GB storage')
  expect(second).toMatchObject({ price: '$10', term: 'per month', isRecommended: true })
  expect(second?.features).toContain('50 GB storage')
})

test('seats are offered where they can be paid for, with the fewest that can be bought (ACC-08 PLN-07)', () => {
  expect(offeredPlans([trial, business], false).map(({ type }) => type)).toEqual(['trial'])
  const [, seats] = offeredPlans([trial, { ...business, fewestSeats: 3 }], true)
  expect(seats).toMatchObject({ type: 'business', price: '$8', term: 'per seat per month' })
  expect(seats?.features).toContain('3-seat minimum')
})

test('a price that is not in whole dollars shows its cents', () => {
  expect(offeredPlans([{ ...personal, monthlyCents: 950 }], false)[0]?.price).toBe('$9.50')
})

test('the trial length comes from the server and defaults to 7 days', () => {
  expect(trialDaysOf([{ ...trial, trialDays: 14 }])).toBe(14)
  expect(trialDaysOf([])).toBe(7)
})
