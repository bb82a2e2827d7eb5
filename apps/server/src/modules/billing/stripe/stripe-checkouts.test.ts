import { expect, test } from 'vitest'
import { startScriptedStripe, stripeFailure } from '../../../testing/engines/scripted-stripe.ts'
import { openStripe } from './open-stripe.ts'

const start = Date.UTC(2026, 10, 28)
const minute = 60_000

const price = {
  id: 'price_1',
  unit_amount: 800,
  currency: 'usd',
  billing_scheme: 'per_unit',
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
}
const session = { id: 'cs_1', url: 'https://pay.example/cs_1', expires_at: (start + 60 * minute) / 1000 }

const order = {
  id: 'order-1',
  plan: 'business' as const,
  priceCents: 800,
  quantity: 7,
  customerEmail: 'buyer@example.org',
  customerId: null,
  successUrl: 'https://files.example/business-success?session_id=%7BCHECKOUT_SESSION_ID%7D',
  cancelUrl: 'https://files.example/business',
}

async function openScripted(script: Parameters<typeof startScriptedStripe>[0]) {
  const clock = { time: start }
  const { url, requests } = await startScriptedStripe({
    'GET /v1/prices': [{ data: [price] }],
    'POST /v1/checkout/sessions': [session],
    ...script,
  })
  const options = { secretKey: 'sk_test_1', webhookSecrets: [], instanceId: 'instance', version: '1' }
  const stripe = await openStripe({ ...options, url, now: () => clock.time })
  const formsOf = (call: string) => requests.filter((request) => request.call === call)
  return { stripe, clock, formsOf }
}

test('PLN-04 a checkout names the order and nobody, and its template is not encoded', async () => {
  const { stripe, formsOf } = await openScripted({})

  const created = await stripe.createCheckout(order)

  expect(created).toEqual({ providerId: 'cs_1', url: session.url, expiresAt: start + 60 * minute })
  expect(formsOf('GET /v1/prices').map(({ query }) => query)).toEqual([
    { 'lookup_keys[0]': 'sallyport_business_seat_monthly', active: 'true' },
  ])
  expect(formsOf('POST /v1/checkout/sessions')).toMatchObject([{ idempotencyKey: 'order-1' }])
  expect(formsOf('POST /v1/checkout/sessions')[0]?.form).toEqual({
    mode: 'subscription',
    client_reference_id: 'order-1',
    'line_items[0][price]': 'price_1',
    'line_items[0][quantity]': '7',
    success_url: 'https://files.example/business-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://files.example/business',
    expires_at: String(session.expires_at),
    'allowed_payment_method_types[0]': 'card',
    'allowed_payment_method_types[1]': 'link',
    'metadata[sallyport_instance]': 'instance',
    'metadata[sallyport_checkout]': 'order-1',
    'metadata[sallyport_plan]': 'business',
    'subscription_data[metadata][sallyport_instance]': 'instance',
    'subscription_data[metadata][sallyport_checkout]': 'order-1',
    'subscription_data[metadata][sallyport_plan]': 'business',
    customer_email: 'buyer@example.org',
  })
})

test('a checkout of a customer that was deleted is for the email address', async () => {
  const missing = stripeFailure(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' })
  const { stripe, formsOf } = await openScripted({ 'POST /v1/checkout/sessions': [missing, session] })

  await stripe.createCheckout({ ...order, customerId: 'cus_1' })

  const sent = formsOf('POST /v1/checkout/sessions')
  expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['order-1', 'order-1-email'])
  expect(sent.map(({ form }) => [form['customer'], form['customer_email']])).toEqual([
    ['cus_1', undefined],
    [undefined, 'buyer@example.org'],
  ])
})

test.each([
  ['another amount', { ...price, unit_amount: 900 }, 'is 900 usd, expected 800 usd'],
  ['another currency', { ...price, currency: 'eur' }, 'is 800 eur, expected 800 usd'],
  ['another interval', { ...price, recurring: { ...price.recurring, interval: 'year' } }, 'is not paid each month'],
  ['two months', { ...price, recurring: { ...price.recurring, interval_count: 2 } }, 'is not paid each month'],
  ['metered use', { ...price, recurring: { ...price.recurring, usage_type: 'metered' } }, 'is not paid by quantity'],
  ['tiers', { ...price, billing_scheme: 'tiered' }, 'is not paid by quantity'],
  ['one payment', { ...price, recurring: null }, 'is not paid each month'],
])('a price with %s is refused, and the log says how to correct it', async (_, wrong, problem) => {
  const { stripe, formsOf } = await openScripted({ 'GET /v1/prices': [{ data: [wrong] }] })

  await expect(stripe.createCheckout(order)).rejects.toMatchObject({
    code: 'PAYMENTS_REFUSED',
    cause: {
      message: `The price sallyport_business_seat_monthly (price_1) at Stripe ${problem}: run \`npm run admin -- billing setup\``,
    },
  })
  expect(formsOf('POST /v1/checkout/sessions')).toEqual([])
})

test('a price is read once in ten minutes, again after an error, and a missing one each time', async () => {
  const none = { data: [] }
  const inactive = stripeFailure(400, { type: 'invalid_request_error', message: 'The price is inactive' })
  const { stripe, clock, formsOf } = await openScripted({
    'GET /v1/prices': [none, { data: [price] }],
    'POST /v1/checkout/sessions': [session, session, session, inactive, session],
  })
  const reads = () => formsOf('GET /v1/prices').length

  await expect(stripe.createCheckout(order)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('sallyport_business_seat_monthly at Stripe does not exist') },
  })
  await stripe.createCheckout(order)
  expect(reads()).toBe(2)
  clock.time += 9 * minute
  await stripe.createCheckout(order)
  expect(reads()).toBe(2)
  clock.time += 2 * minute
  await stripe.createCheckout(order)
  expect(reads()).toBe(3)
  await expect(stripe.createCheckout(order)).rejects.toMatchObject({ code: 'PAYMENTS_REFUSED' })
  await stripe.createCheckout(order)
  expect(reads()).toBe(4)
})

const paidWith = { id: 'sub_1', status: 'active' }
const openSession = { status: 'open', payment_status: 'unpaid', subscription: null }
const completed = { status: 'complete', payment_status: 'unpaid', subscription: { id: 'sub_1', status: 'incomplete' } }

test.each([
  ['open', openSession, 'open', null],
  ['paid', { ...completed, payment_status: 'paid', subscription: paidWith }, 'paid', 'sub_1'],
  ['free', { ...completed, payment_status: 'no_payment_required', subscription: paidWith }, 'paid', 'sub_1'],
  ['completed without a subscription', { ...completed, payment_status: 'paid', subscription: null }, 'open', null],
  ['completed but not paid yet', completed, 'open', null],
  [
    'completed but never paid',
    { ...completed, subscription: { id: 'sub_1', status: 'incomplete_expired' } },
    'expired',
    null,
  ],
  ['expired', { ...openSession, status: 'expired' }, 'expired', null],
])('a checkout that is %s', async (_, answer, state, subscriptionId) => {
  const { stripe, formsOf } = await openScripted({ 'GET /v1/checkout/sessions/cs_1': [{ id: 'cs_1', ...answer }] })

  expect(await stripe.getCheckout('cs_1')).toEqual({ state, subscriptionId })
  expect(formsOf('GET /v1/checkout/sessions/cs_1')[0]?.query).toEqual({ 'expand[0]': 'subscription' })
})

test('a checkout that Stripe does not know cannot be paid', async () => {
  const missing = stripeFailure(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'session' })
  const { stripe } = await openScripted({
    'GET /v1/checkout/sessions/tcs_1': [missing],
    'POST /v1/checkout/sessions/tcs_1/expire': [missing],
  })

  expect(await stripe.getCheckout('tcs_1')).toEqual({ state: 'expired', subscriptionId: null })
  await stripe.expireCheckout('tcs_1')
})

test('only a checkout that stays open is an error when it is expired', async () => {
  const closed = stripeFailure(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired' })
  const { stripe } = await openScripted({
    'POST /v1/checkout/sessions/cs_1/expire': [session, closed, closed, closed],
    'GET /v1/checkout/sessions/cs_1': [{ ...completed }, { ...openSession, status: 'expired' }, openSession],
  })

  await stripe.expireCheckout('cs_1')
  await stripe.expireCheckout('cs_1')
  await stripe.expireCheckout('cs_1')
  await expect(stripe.expireCheckout('cs_1')).rejects.toMatchObject({ code: 'PAYMENTS_REFUSED' })
})
