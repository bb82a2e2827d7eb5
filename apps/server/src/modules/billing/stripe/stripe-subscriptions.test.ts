import { expect, test } from 'vitest'
import { stripeFailure } from '../../../testing/engines/scripted-stripe.ts'
import { item, openScripted, path, periodEnd, periodStart, subscriptionOf } from './testing/scripted-subscription.ts'

const snapshot = {
  status: 'active',
  priceCents: 800,
  quantity: 5,
  periodStart: periodStart * 1000,
  periodEnd: periodEnd * 1000,
  cancelsAtPeriodEnd: false,
  endedAt: null,
  customerId: 'cus_1',
}

test.each([
  ['active', {}, {}],
  ['cancelled', { cancel_at_period_end: true }, { cancelsAtPeriodEnd: true }],
  ['cancelled with flexible billing', { cancel_at: periodEnd }, { cancelsAtPeriodEnd: true }],
  ['ended', { status: 'canceled', ended_at: periodEnd }, { status: 'canceled', endedAt: periodEnd * 1000 }],
  [
    'past due, its customer expanded',
    { status: 'past_due', customer: { id: 'cus_2' } },
    { status: 'past_due', customerId: 'cus_2' },
  ],
])('a subscription that is %s', async (_, changes, expected) => {
  const { stripe } = await openScripted({ [`GET ${path}`]: [subscriptionOf(changes)] })

  expect(await stripe.getSubscription('sub_1')).toEqual({ ...snapshot, ...expected })
})

test.each([
  ['no items', []],
  ['two items', [item, item]],
  ['a price in fractions of a cent', [{ ...item, price: { unit_amount: null } }]],
])('a subscription with %s is refused', async (_, data) => {
  const { stripe } = await openScripted({ [`GET ${path}`]: [subscriptionOf({ items: { data } })] })

  await expect(stripe.getSubscription('sub_1')).rejects.toMatchObject({ code: 'PAYMENTS_REFUSED' })
})

test('PLN-05 a subscription is cancelled once, and one that has ended not at all', async () => {
  const { stripe, requests } = await openScripted({
    [`GET ${path}`]: [
      subscriptionOf(),
      subscriptionOf({ cancel_at_period_end: true }),
      subscriptionOf({ cancel_at: periodEnd }),
      subscriptionOf({ status: 'canceled', ended_at: periodEnd }),
    ],
    [`POST ${path}`]: [subscriptionOf({ cancel_at_period_end: true })],
  })

  for (let time = 0; time < 4; time += 1) await stripe.setCancelAtPeriodEnd('sub_1')
  expect(requests.filter(({ call }) => call.startsWith('POST')).map(({ form }) => form)).toEqual([
    { cancel_at_period_end: 'true' },
  ])
})

test('a subscription ends once, also if another request ends it a moment before', async () => {
  const ended = subscriptionOf({ status: 'canceled', ended_at: periodStart })
  const missing = stripeFailure(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'id' })
  const { stripe, requests } = await openScripted({
    [`GET ${path}`]: [subscriptionOf(), ended, subscriptionOf(), ended, subscriptionOf()],
    [`DELETE ${path}`]: [ended, missing],
  })

  await stripe.cancelImmediately('sub_1')
  await stripe.cancelImmediately('sub_1')
  await stripe.cancelImmediately('sub_1')
  await expect(stripe.cancelImmediately('sub_1')).rejects.toMatchObject({ code: 'PAYMENTS_REFUSED' })

  const deletions = requests.filter(({ call }) => call.startsWith('DELETE'))
  expect(deletions).toHaveLength(3)
  expect({ ...deletions[0]?.query, ...deletions[0]?.form }).toEqual({ invoice_now: 'false', prorate: 'false' })
})

test('an end also voids the invoice of seats that are not paid yet', async () => {
  const { stripe, requests } = await openScripted({
    [`GET ${path}`]: [subscriptionOf({ pending_update: { subscription_items: [{ quantity: 8 }] } })],
    [`DELETE ${path}`]: [subscriptionOf({ status: 'canceled', ended_at: periodStart })],
    'POST /v1/invoices/in_1/void': [{ id: 'in_1', status: 'void' }],
  })

  await stripe.cancelImmediately('sub_1')
  expect(requests.map(({ call }) => call)).toEqual([`GET ${path}`, 'POST /v1/invoices/in_1/void', `DELETE ${path}`])
})

const later = periodEnd + 10 * 86_400
const extension = { trial_end: String(later), proration_behavior: 'none' }

test.each([
  ['runs', {}, {}, [extension]],
  ['is cancelled', { cancel_at_period_end: true }, {}, [{ ...extension, cancel_at_period_end: 'true' }]],
  [
    'is cancelled at its old end',
    { cancel_at_period_end: true, cancel_at: periodEnd },
    { cancel_at: periodEnd },
    [
      { ...extension, cancel_at_period_end: 'true' },
      { cancel_at: String(later), proration_behavior: 'none' },
    ],
  ],
  [
    'is cancelled and moved by Stripe',
    { cancel_at_period_end: true, cancel_at: periodEnd },
    { cancel_at: later },
    [{ ...extension, cancel_at_period_end: 'true' }],
  ],
])('ten days more for a subscription that %s', async (_, before, after, forms) => {
  const { stripe, requests } = await openScripted({
    [`GET ${path}`]: [subscriptionOf(before)],
    [`POST ${path}`]: [subscriptionOf({ ...before, ...after })],
  })

  await stripe.extend('sub_1', 10)
  expect(requests.filter(({ call }) => call.startsWith('POST')).map(({ form }) => form)).toEqual(forms)
})

test('the list has the subscriptions of this instance that have not ended, a page at a time', async () => {
  const first = subscriptionOf({ id: 'sub_1' })
  const foreign = subscriptionOf({ id: 'sub_2', metadata: { sallyport_instance: 'other' } })
  const byHand = subscriptionOf({ id: 'sub_3', metadata: {} })
  const ended = subscriptionOf({ id: 'sub_4', status: 'canceled', ended_at: periodEnd })
  const expired = subscriptionOf({ id: 'sub_5', status: 'incomplete_expired' })
  const changed = subscriptionOf({ id: 'sub_6', items: { data: [item, item] } })
  const last = subscriptionOf({ id: 'sub_7', status: 'past_due', metadata: { sallyport_instance: 'instance' } })
  const { stripe, requests } = await openScripted({
    'GET /v1/subscriptions': [
      { object: 'list', data: [first, foreign, byHand], has_more: true },
      { object: 'list', data: [ended, expired, changed, last], has_more: false },
    ],
  })

  expect(await Array.fromAsync(stripe.listSubscriptions())).toEqual([
    { providerId: 'sub_1', checkoutId: 'order-1', snapshot },
    { providerId: 'sub_7', checkoutId: null, snapshot: { ...snapshot, status: 'past_due' } },
  ])
  expect(requests.map(({ query }) => query)).toEqual([{ limit: '100' }, { limit: '100', starting_after: 'sub_3' }])
})

test('the payment page of a customer has the configuration of this instance', async () => {
  const list = (data: object[]) => ({ object: 'list', has_more: false, data })
  const missing = stripeFailure(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' })
  const { stripe, requests } = await openScripted({
    'GET /v1/billing_portal/configurations': [
      list([{ id: 'bpc_1', metadata: null }]),
      list([{ id: 'bpc_2', metadata: { sallyport_instance: 'instance' } }]),
    ],
    'POST /v1/billing_portal/sessions': [{ url: 'https://pay.example/1' }, { url: 'https://pay.example/2' }, missing],
  })
  const open = () => stripe.createPortalUrl('cus_1', 'https://files.example/settings')

  expect([await open(), await open(), await open()]).toEqual(['https://pay.example/1', 'https://pay.example/2', null])
  const session = { customer: 'cus_1', return_url: 'https://files.example/settings' }
  expect(requests.filter(({ call }) => call.startsWith('POST')).map(({ form }) => form)).toEqual([
    session,
    { ...session, configuration: 'bpc_2' },
    { ...session, configuration: 'bpc_2' },
  ])
  expect(requests.filter(({ call }) => call.startsWith('GET'))).toHaveLength(2)
})
