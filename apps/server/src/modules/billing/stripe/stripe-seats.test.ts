import { expect, test } from 'vitest'
import { stripeFailure } from '../../../testing/engines/scripted-stripe.ts'
import { item, openScripted, path, periodStart, subscriptionOf } from './testing/scripted-subscription.ts'

const seatsOrder = { quantity: 8, orderId: 'order-9', proratedAt: periodStart * 1000 }
const waiting = subscriptionOf({ pending_update: { subscription_items: [{ id: 'si_1', quantity: 8 }] } })
const added = subscriptionOf({ items: { data: [{ ...item, quantity: 8 }] } })
const invoiceWith = (status: string, intentStatus: string) => ({
  id: 'in_1',
  status,
  hosted_invoice_url: 'https://pay.example/in_1',
  payments: { data: [{ payment: { type: 'payment_intent', payment_intent: { id: 'pi_1', status: intentStatus } } }] },
})

interface SeatsScript {
  /** What the subscription is each time it is read. */
  readonly reads: readonly object[]
  readonly invoice?: object
  readonly update?: object
  readonly voiding?: object
}

const declined = stripeFailure(402, { type: 'card_error', code: 'card_declined', message: 'Declined' })
const notOpen = stripeFailure(400, { type: 'invalid_request_error', message: 'This invoice is paid' })

test.each<[string, SeatsScript, object | string, readonly string[]]>([
  ['there already', { reads: [added] }, 'done', []],
  ['paid at once', { reads: [subscriptionOf(), added] }, 'done', ['update']],
  ['declined with 402', { reads: [subscriptionOf(), subscriptionOf()], update: declined }, 'declined', ['update']],
  [
    'declined',
    { reads: [subscriptionOf(), waiting, subscriptionOf()], invoice: invoiceWith('open', 'requires_payment_method') },
    'declined',
    ['update', 'void'],
  ],
  [
    'to be confirmed',
    { reads: [subscriptionOf(), waiting], invoice: invoiceWith('open', 'requires_action') },
    { payUrl: 'https://pay.example/in_1' },
    ['update'],
  ],
  [
    'paid while it is voided',
    {
      reads: [subscriptionOf(), waiting, added],
      invoice: invoiceWith('paid', 'succeeded'),
      voiding: notOpen,
    },
    'done',
    ['update', 'void'],
  ],
  [
    'repeated after a later order, which waits for its payment',
    {
      reads: [waiting, subscriptionOf({ pending_update: { subscription_items: [{ quantity: 9 }] } })],
      update: waiting,
    },
    'declined',
    ['update'],
  ],
  [
    'repeated after it was voided, to which Stripe gives the old answer',
    { reads: [subscriptionOf(), subscriptionOf()], update: waiting },
    'declined',
    ['update'],
  ],
])(
  'ORG-03 an order of seats that is %s',
  async (_, { reads, invoice = {}, update = waiting, voiding = {} }, outcome, changes) => {
    const { stripe, requests } = await openScripted({
      [`GET ${path}`]: reads,
      [`POST ${path}`]: [update],
      'GET /v1/invoices/in_1': [invoice],
      'POST /v1/invoices/in_1/void': [voiding],
    })

    expect(await stripe.setSeats('sub_1', seatsOrder)).toEqual(outcome)

    const posts = requests.filter(({ call }) => call.startsWith('POST'))
    expect(posts.map(({ call }) => (call.endsWith('/void') ? 'void' : 'update'))).toEqual(changes)
    for (const { form, idempotencyKey } of posts.slice(0, 1)) {
      expect(idempotencyKey).toBe('order-9')
      expect(form).toEqual({
        'items[0][id]': 'si_1',
        'items[0][quantity]': '8',
        proration_behavior: 'always_invoice',
        proration_date: String(periodStart),
        payment_behavior: 'pending_if_incomplete',
      })
    }
  },
)

test('an order whose invoice cannot be voided has no outcome yet', async () => {
  const { stripe } = await openScripted({
    [`GET ${path}`]: [subscriptionOf(), waiting],
    [`POST ${path}`]: [waiting],
    'GET /v1/invoices/in_1': [invoiceWith('open', 'requires_payment_method')],
    'POST /v1/invoices/in_1/void': [stripeFailure(500, { type: 'api_error', message: 'Oops' })],
  })

  await expect(stripe.setSeats('sub_1', seatsOrder)).rejects.toMatchObject({ code: 'PAYMENTS_AWAY' })
})

test.each([
  [1234, 1234],
  [-50, 0],
])('a preview of %i cents costs %i', async (amount_due, nowCents) => {
  const { stripe, requests } = await openScripted({
    [`GET ${path}`]: [subscriptionOf()],
    'POST /v1/invoices/create_preview': [{ id: 'upcoming_in_1', amount_due }],
  })

  expect(await stripe.previewSeats('sub_1', 8)).toEqual({ nowCents, proratedAt: periodStart * 1000 })
  expect(requests.at(-1)?.form).toEqual({
    subscription: 'sub_1',
    'subscription_details[items][0][id]': 'si_1',
    'subscription_details[items][0][quantity]': '8',
    'subscription_details[proration_behavior]': 'always_invoice',
    'subscription_details[proration_date]': String(periodStart),
  })
})
