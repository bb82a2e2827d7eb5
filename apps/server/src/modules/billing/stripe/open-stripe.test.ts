import { expect, test } from 'vitest'
import { type StripeServer, startStripeServer } from '../../../testing/stripe/stripe-server.ts'
import { openStripe } from './open-stripe.ts'
import { setUpStripe } from './setup/set-up-stripe.ts'

const start = Date.UTC(2026, 10, 1)
const [minute, day] = [60_000, 86_400_000]
const instanceId = 'instance'
const webhookSecret = 'whsec_test'

const order = {
  id: 'order-1',
  plan: 'business' as const,
  priceCents: 800,
  quantity: 5,
  customerEmail: 'buyer@example.org',
  customerId: null,
  successUrl: 'https://files.example/business-success?session_id=%7BCHECKOUT_SESSION_ID%7D',
  cancelUrl: 'https://files.example/business',
}

const openAt = (server: StripeServer, id = instanceId) =>
  openStripe({
    secretKey: server.key,
    webhookSecrets: [webhookSecret],
    url: server.url,
    instanceId: id,
    now: server.now,
    version: '1',
    timeoutMs: 300,
  })

/** Starts Stripe with the prices of the plans. */
async function startShop() {
  const server = await startStripeServer({ now: () => start })
  const publicUrl = new URL('http://localhost')
  const client = { secretKey: server.key, url: server.url, version: '1' }
  await Array.fromAsync(setUpStripe({ ...client, instanceId, publicUrl, hasWebhookSecret: true, isDryRun: false }))
  return { server, stripe: await openAt(server) }
}

/** Starts Stripe with a subscription of five seats. */
async function startSubscribed() {
  const { server, stripe } = await startShop()
  const { providerId } = await stripe.createCheckout(order)
  await server.pay(providerId)
  const { subscriptionId } = await stripe.getCheckout(providerId)
  return { server, stripe, checkoutId: providerId, id: subscriptionId ?? expect.fail('not paid') }
}

const centsOf = ({ charges }: StripeServer): number[] => charges.map(({ cents }) => cents)
const openInvoices = (server: StripeServer) => server.invoices().filter(({ status }) => status === 'open')

test('PLN-04 a checkout is paid and gives a subscription', async () => {
  const { server, stripe } = await startShop()
  const created = await stripe.createCheckout(order)
  const before = await stripe.getCheckout(created.providerId)

  const returnUrl = await server.pay(created.providerId)
  const after = await stripe.getCheckout(created.providerId)
  await stripe.expireCheckout(created.providerId)

  expect(created).toMatchObject({ url: expect.stringContaining(server.url), expiresAt: start + 60 * minute })
  expect(before).toEqual({ state: 'open', subscriptionId: null })
  expect(returnUrl).toBe(`https://files.example/business-success?session_id=${created.providerId}`)
  expect(after).toEqual({ state: 'paid', subscriptionId: expect.stringMatching(/^sub_/) })
  expect(await stripe.getCheckout(created.providerId)).toEqual(after)
  expect(await stripe.getSubscription(after.subscriptionId ?? '')).toEqual({
    status: 'active',
    priceCents: 800,
    quantity: 5,
    periodStart: start,
    periodEnd: Date.UTC(2026, 11, 1),
    cancelsAtPeriodEnd: false,
    endedAt: null,
    customerId: expect.stringMatching(/^cus_/),
  })
  expect(centsOf(server)).toEqual([4000])
})

test('a checkout can be expired twice, and expires by itself after an hour', async () => {
  const { server, stripe } = await startShop()
  const first = await stripe.createCheckout(order)
  const second = await stripe.createCheckout({ ...order, id: 'order-2' })

  await stripe.expireCheckout(first.providerId)
  await stripe.expireCheckout(first.providerId)
  await server.advance(61 * minute)

  const expired = { state: 'expired', subscriptionId: null }
  expect(await stripe.getCheckout(first.providerId)).toEqual(expired)
  expect(await stripe.getCheckout(second.providerId)).toEqual(expired)
})

test('a former customer buys again as the same one, and an unknown one by the email address', async () => {
  const { server, stripe, id } = await startSubscribed()
  const customerId = (await stripe.getSubscription(id))?.customerId ?? null
  await stripe.cancelImmediately(id)

  const again = await stripe.createCheckout({ ...order, id: 'order-2', customerId })
  const unknown = await stripe.createCheckout({ ...order, id: 'order-3', customerId: 'cus_unknown' })

  const sessionOf = (providerId: string) => server.checkouts().find((session) => session.id === providerId)
  expect(sessionOf(again.providerId)).toMatchObject({ customer: customerId })
  expect(sessionOf(unknown.providerId)).toMatchObject({ customer: null, customer_email: order.customerEmail })
})

test('a checkout at another price than that of the plan is refused', async () => {
  const { server, stripe } = await startShop()

  await expect(stripe.createCheckout({ ...order, priceCents: 900 })).rejects.toMatchObject({ code: 'PAYMENTS_REFUSED' })
  expect(server.checkouts()).toEqual([])
})

test('PLN-05 a subscription is cancelled at the end of its period, and ends then', async () => {
  const { server, stripe, id } = await startSubscribed()

  await stripe.setCancelAtPeriodEnd(id)
  await stripe.setCancelAtPeriodEnd(id)
  const cancelled = await stripe.getSubscription(id)
  await server.advance(31 * day)
  await stripe.setCancelAtPeriodEnd(id)

  expect(cancelled).toMatchObject({ status: 'active', cancelsAtPeriodEnd: true, endedAt: null })
  expect(await stripe.getSubscription(id)).toMatchObject({ status: 'canceled', endedAt: Date.UTC(2026, 11, 1) })
  expect(centsOf(server)).toEqual([4000])
})

test('a subscription ends at once without another charge, also a second time', async () => {
  const { server, stripe, id } = await startSubscribed()

  await stripe.cancelImmediately(id)
  await stripe.cancelImmediately(id)

  expect(await stripe.getSubscription(id)).toMatchObject({ status: 'canceled', endedAt: start })
  expect(centsOf(server)).toEqual([4000])
})

test.each([
  ['that runs', false, 'active', [4000, 4000]],
  ['that is cancelled', true, 'canceled', [4000]],
])('ten days more for a subscription %s move its end', async (_, isCancelled, status, cents) => {
  const { server, stripe, id } = await startSubscribed()
  if (isCancelled) await stripe.setCancelAtPeriodEnd(id)

  await stripe.extend(id, 10)

  expect(await stripe.getSubscription(id)).toMatchObject({
    status: 'trialing',
    periodEnd: Date.UTC(2026, 11, 11),
    cancelsAtPeriodEnd: isCancelled,
  })
  await server.advance(39 * day)
  expect(centsOf(server)).toEqual([4000])
  await server.advance(2 * day)
  expect(await stripe.getSubscription(id)).toMatchObject({ status })
  expect(centsOf(server)).toEqual(cents)
})

test('ORG-03 more seats are charged for the rest of the period, as the preview says', async () => {
  const { server, stripe, id } = await startSubscribed()
  await server.advance(15 * day)

  const preview = await stripe.previewSeats(id, 8)
  const seatsOrder = { quantity: 8, orderId: 'seats-1', proratedAt: preview.proratedAt }
  await server.advance(minute)
  const outcomes = [await stripe.setSeats(id, seatsOrder), await stripe.setSeats(id, seatsOrder)]

  expect(preview).toEqual({ nowCents: 1200, proratedAt: start + 15 * day })
  expect(outcomes).toEqual(['done', 'done'])
  expect(await stripe.getSubscription(id)).toMatchObject({ quantity: 8, periodEnd: Date.UTC(2026, 11, 1) })
  expect(centsOf(server)).toEqual([4000, 1200])
})

test('fewer seats cost nothing now', async () => {
  const { stripe, id } = await startSubscribed()

  expect(await stripe.previewSeats(id, 3)).toMatchObject({ nowCents: 0 })
})

test('ORG-03 seats that are declined change nothing and are not charged later', async () => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  server.setChargeOutcome('decline')

  const declined = await stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })
  server.setChargeOutcome('pay')
  const repeated = await stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })
  await server.advance(2 * day)

  expect([declined, repeated]).toEqual(['declined', 'declined'])
  expect(openInvoices(server)).toEqual([])
  expect(await stripe.getSubscription(id)).toMatchObject({ quantity: 5, status: 'active' })
  expect(centsOf(server)).toEqual([4000])
  expect(await stripe.setSeats(id, { quantity: 8, orderId: 'seats-2', proratedAt })).toBe('done')
})

test('ORG-03 seats that the bank asks about are there once they are confirmed on the page', async () => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  const seatsOrder = { quantity: 8, orderId: 'seats-1', proratedAt }
  server.setChargeOutcome('action')

  const asked = await stripe.setSeats(id, seatsOrder)
  const askedAgain = await stripe.setSeats(id, seatsOrder)
  const [invoice] = openInvoices(server)
  await server.payInvoice(invoice?.id ?? '')

  expect(asked).toEqual({ payUrl: expect.stringMatching(/^http/) })
  expect(askedAgain).toEqual(asked)
  expect(await stripe.setSeats(id, seatsOrder)).toBe('done')
  expect(centsOf(server)).toEqual([4000, 2400])
})

test('seats that nobody confirms in 23 hours are declined', async () => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  server.setChargeOutcome('action')
  await stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })

  await server.advance(23.5 * 60 * minute)

  expect(await stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })).toBe('declined')
  expect([openInvoices(server), centsOf(server)]).toEqual([[], [4000]])
})

test('an account that ends while the bank asks about seats is not charged for them later', async () => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  server.setChargeOutcome('action')
  await stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })

  await stripe.cancelImmediately(id)

  expect([openInvoices(server), centsOf(server)]).toEqual([[], [4000]])
})

test.each([
  ['once', 1, ['done']],
  ['twice', 2, ['PAYMENTS_AWAY', 'done']],
] as const)('ORG-03 seats whose answer is lost %s are charged once', async (_, times, outcomes) => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  const buy = () => stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })
  server.fail({ times, how: 'lost-answer', method: 'POST', path: `/v1/subscriptions/${id}` })

  const answers: unknown[] = []
  for (const _outcome of outcomes) answers.push(await buy().catch(({ code }: { code: string }) => code))

  expect(answers).toEqual(outcomes)
  expect(centsOf(server)).toEqual([4000, 2400])
})

test('declined seats whose answer is lost are declined when they are repeated', async () => {
  const { server, stripe, id } = await startSubscribed()
  const { proratedAt } = await stripe.previewSeats(id, 8)
  const buy = () => stripe.setSeats(id, { quantity: 8, orderId: 'seats-1', proratedAt })
  server.setChargeOutcome('decline')
  server.fail({ times: 2, how: 'lost-answer', method: 'POST', path: `/v1/subscriptions/${id}` })

  await expect(buy()).rejects.toMatchObject({ code: 'PAYMENTS_AWAY' })
  server.setChargeOutcome('pay')

  expect(await buy()).toBe('declined')
  expect([openInvoices(server), centsOf(server)]).toEqual([[], [4000]])
})

test('a cancellation, ten days more and an end whose answers are lost happen once', async () => {
  const { server, stripe, id } = await startSubscribed()
  const lose = (method: string) => server.fail({ times: 1, how: 'lost-answer', method, path: /^\/v1\/subscriptions\// })

  lose('POST')
  await stripe.setCancelAtPeriodEnd(id)
  lose('POST')
  await stripe.extend(id, 10)
  const extended = await stripe.getSubscription(id)
  lose('DELETE')
  await stripe.cancelImmediately(id)

  expect(extended).toMatchObject({ cancelsAtPeriodEnd: true, periodEnd: Date.UTC(2026, 11, 11) })
  expect(await stripe.getSubscription(id)).toMatchObject({ status: 'canceled' })
})

test('a checkout whose answer is lost is created once', async () => {
  const { server, stripe } = await startShop()
  server.fail({ times: 1, how: 'lost-answer', method: 'POST', path: '/v1/checkout/sessions' })

  await stripe.createCheckout(order)

  expect(server.checkouts()).toHaveLength(1)
})

test('a Stripe that hangs or fails is away, and works again afterwards', async () => {
  const { server, stripe, id } = await startSubscribed()

  for (const how of ['hang', 'unavailable', 'error'] as const) {
    server.fail({ times: 2, how })
    await expect(stripe.getSubscription(id)).rejects.toMatchObject({ code: 'PAYMENTS_AWAY', retryAfterSeconds: 5 })
    server.clearFaults()
  }
  expect(await stripe.getSubscription(id)).toMatchObject({ status: 'active' })
})

test('a wrong key is refused, and an unknown subscription is none', async () => {
  const { server, stripe } = await startShop()
  const other = await openAt({ ...server, key: 'sk_test_other' })

  await expect(other.getSubscription('sub_1')).rejects.toMatchObject({
    code: 'PAYMENTS_REFUSED',
    cause: { type: 'StripeAuthenticationError' },
  })
  expect(await stripe.getSubscription('tsub_1')).toBeNull()
  await stripe.setCancelAtPeriodEnd('tsub_1')
  await stripe.cancelImmediately('tsub_1')
})

test('an instance lists only its own subscriptions that have not ended', async () => {
  const { server, stripe, id, checkoutId } = await startSubscribed()
  const other = await openAt(server, 'other')
  const { providerId } = await other.createCheckout({ ...order, id: 'order-of-other' })
  await server.pay(providerId)

  const listed = await Array.fromAsync(stripe.listSubscriptions())
  await stripe.cancelImmediately(id)

  expect(listed).toEqual([
    { providerId: id, checkoutId: order.id, snapshot: expect.objectContaining({ status: 'active', quantity: 5 }) },
  ])
  expect(checkoutId).not.toBe(providerId)
  expect(await Array.fromAsync(stripe.listSubscriptions())).toEqual([])
  expect(await Array.fromAsync(other.listSubscriptions())).toHaveLength(1)
})

test('the payment page is that of the customer; there is none for an unknown one', async () => {
  const { server, stripe, id } = await startSubscribed()
  const customerId = (await stripe.getSubscription(id))?.customerId ?? null

  expect(await stripe.createPortalUrl(customerId ?? '', 'https://files.example/settings')).toContain(server.url)
  expect(await stripe.createPortalUrl('cus_unknown', 'https://files.example/settings')).toBeNull()
})

test('every event that is sent is accepted, and those of the purchase name its checkout', async () => {
  const { server, stripe, id, checkoutId } = await startSubscribed()

  const parsed = server.events.map((event) =>
    stripe.parseEvent(Buffer.from(event.body), event.signature([webhookSecret])),
  )

  const subjects = new Map(parsed.map(({ type, subject }) => [type, subject]))
  const subscription = { kind: 'subscription', providerId: id, checkoutId: order.id }
  expect(subjects.get('checkout.session.completed')).toEqual({ kind: 'checkout', providerId: checkoutId })
  expect(subjects.get('customer.subscription.created')).toEqual(subscription)
  expect(subjects.get('invoice.paid')).toEqual(subscription)
  expect(subjects.get('customer.created')).toBeNull()
})
