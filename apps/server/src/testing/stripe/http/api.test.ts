import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import {
  centsOf,
  checkoutParams,
  clientOf,
  dayMs,
  quantityParams,
  startTestAccount,
  subscribe,
} from '../test-account.ts'

test('a repeated key is answered the same for 24 hours, and another body is rejected', async () => {
  const { server, stripe } = await startTestAccount()
  const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey: 'key-1' })

  const first = await create('ann@example.com')
  const again = await create('ann@example.com')
  await expect(create('ben@example.com')).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
    rawType: 'idempotency_error',
  })
  await server.advance(dayMs)
  const later = await create('ben@example.com')

  expect(again.id).toBe(first.id)
  expect(later.id).not.toBe(first.id)
})

test('errors are saved for a key as well, but not those of wrong parameters', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  const params = { ...quantityParams(subscription, 5), payment_behavior: 'error_if_incomplete' } as const
  const update = () => stripe.subscriptions.update(subscription.id, params, { idempotencyKey: 'order-1' })
  server.setChargeOutcome('decline')

  await expect(update()).rejects.toMatchObject({ statusCode: 402 })
  server.setChargeOutcome('pay')
  await expect(update()).rejects.toMatchObject({ statusCode: 402 })

  const wrong = { email: 'ann@example.com', nick: 'Ann' }
  await expect(stripe.customers.create(wrong, { idempotencyKey: 'key-1' })).rejects.toThrow()
  await stripe.customers.create({ email: 'ann@example.com' }, { idempotencyKey: 'key-1' })
  expect(centsOf(server)).toEqual([2400])
})

test('wrong parameters are rejected by their whole name', async () => {
  const account = await startTestAccount()
  const { sessions } = account.stripe.checkout
  const params = checkoutParams(account)
  const line = { ...params.line_items[0], color: 'red' }
  const { mode: _, ...withoutMode } = params

  await expect(sessions.create({ ...params, line_items: [line] })).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    code: 'parameter_unknown',
    param: 'line_items[0][color]',
    message: 'Received unknown parameter: line_items[0][color]',
  })
  const removed = { ...params, payment_method_types: ['card'] }
  await expect(sessions.create(removed)).rejects.toMatchObject({ param: 'payment_method_types' })
  await expect(sessions.create(withoutMode)).rejects.toMatchObject({ code: 'parameter_missing', param: 'mode' })
  await expect(sessions.create({ ...params, line_items: [{ ...line, quantity: Number.NaN }] })).rejects.toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'line_items[0][quantity]',
  })
})

test('missing objects are 404 by their path and 400 by a parameter', async () => {
  const account = await startTestAccount()
  const { stripe } = account
  const { customer_email: _, ...params } = checkoutParams(account)

  await expect(stripe.checkout.sessions.retrieve('cs_1')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'session',
    message: "No such checkout.session: 'cs_1'",
  })
  await expect(stripe.checkout.sessions.create({ ...params, customer: 'cus_1' })).rejects.toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  })
  await expect(
    stripe.subscriptions.list({ expand: ['data.latest_invoice.payments.data.payment'] }),
  ).rejects.toMatchObject({ statusCode: 400 })
})

test('another key and another version are rejected', async () => {
  const { server } = await startTestAccount()
  const other = new Stripe('sk_test_other', { host: server.host, port: server.port, protocol: 'http' })
  const headers = { authorization: `Bearer ${server.key}` }

  await expect(other.customers.retrieve('cus_1')).rejects.toMatchObject({ type: 'StripeAuthenticationError' })
  expect((await fetch(`${server.url}/v1/events`, { headers })).status).toBe(400)
})

test('lists are paged from the newest entry on, and filtered', async () => {
  const { stripe, product, price } = await startTestAccount()
  const other = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
    lookup_key: 'business_monthly',
    transfer_lookup_key: true,
  })
  await stripe.prices.update(price.id, { active: false })

  const first = await stripe.prices.list({ limit: 1 })
  const all = await stripe.prices.list({ limit: 1 }).autoPagingToArray({ limit: 10 })
  const byKey = await stripe.prices.list({ lookup_keys: ['business_monthly'], active: true })

  expect(first).toMatchObject({ has_more: true, data: [{ id: other.id }] })
  expect(all.map(({ id, lookup_key }) => [id, lookup_key])).toEqual([
    [other.id, 'business_monthly'],
    [price.id, null],
  ])
  expect(byKey.data).toMatchObject([{ unit_amount: 900 }])
})

test('a lost answer is repeated to the retry, and nothing is charged twice', async () => {
  const account = await startTestAccount()
  const { server, stripe } = account
  const subscription = await subscribe(account)
  server.fail({ times: 1, how: 'lost-answer', method: 'POST', path: `/v1/subscriptions/${subscription.id}` })

  const updated = await stripe.subscriptions.update(subscription.id, quantityParams(subscription, 4))
  server.fail({ times: 1, how: 'lost-answer', path: '/v1/customers' })
  const customer = await stripe.customers.create({ email: 'ann@example.com' })

  expect(updated.items.data).toMatchObject([{ quantity: 4 }])
  const created = server.events.filter(({ type }) => type === 'customer.created')
  expect(created.map(({ event }) => event.data.object)).toMatchObject([{}, { id: customer.id }])
  expect(centsOf(server)).toEqual([2400, 800])
  expect(server.requests.filter(({ path }) => path === `/v1/subscriptions/${subscription.id}`)).toHaveLength(3)
})

test('a request can hang, be rejected for now, or fail for good under its key', async () => {
  const { server } = await startTestAccount()
  const stripe = clientOf(server, { maxNetworkRetries: 0, timeout: 100 })
  const create = (idempotencyKey: string) => stripe.customers.create({}, { idempotencyKey })

  server.fail({ times: 1, how: 'hang', path: '/v1/customers' })
  await expect(create('key-1')).rejects.toMatchObject({ type: 'StripeConnectionError' })
  server.fail({ times: 1, how: 'unavailable' })
  await expect(create('key-1')).rejects.toMatchObject({ statusCode: 503 })
  await create('key-1')
  server.fail({ times: 1, how: 'error', path: /customers$/ })
  await expect(create('key-2')).rejects.toMatchObject({ statusCode: 500 })
  await expect(create('key-2')).rejects.toMatchObject({ statusCode: 500 })
  await create('key-3')
})

test('portal configurations and webhook endpoints can be created, found and updated', async () => {
  const { server, stripe } = await startTestAccount()
  const { configurations, sessions } = stripe.billingPortal
  const { id: customer } = await stripe.customers.create({ email: 'ann@example.com' })
  await expect(sessions.create({ customer })).rejects.toMatchObject({ statusCode: 400 })

  const configuration = await configurations.create({ name: 'Ours', features: { invoice_history: { enabled: true } } })
  await configurations.update(configuration.id, { features: { customer_update: { enabled: false } } })
  const session = await sessions.create({ customer, return_url: 'http://127.0.0.1:1/back' })
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://example.com/hook',
    enabled_events: ['invoice.paid'],
  })
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true })

  expect(session).toMatchObject({ configuration: configuration.id, url: expect.stringContaining(server.url) })
  expect((await configurations.list({ active: true })).data).toMatchObject([
    { id: configuration.id, features: { invoice_history: { enabled: true }, customer_update: { enabled: false } } },
  ])
  expect(endpoint.secret).toMatch(/^whsec_/)
  const [listed] = (await stripe.webhookEndpoints.list()).data
  expect(listed).toMatchObject({ id: endpoint.id, status: 'disabled', enabled_events: ['invoice.paid'] })
  expect(listed).not.toHaveProperty('secret')
})
