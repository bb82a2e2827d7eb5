import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { type StripeServer, startStripeServer } from './stripe-server.ts'

const daySeconds = 24 * 60 * 60
const dayMs = daySeconds * 1000
const startMs = Date.UTC(2026, 0, 31, 10)

/** Starts the stand-in at 31 January with a price of 8 dollars per month. */
async function startShop() {
  const server = await startStripeServer({ now: () => startMs })
  const stripe = new Stripe(server.key, {
    host: server.host,
    port: server.port,
    protocol: 'http',
    maxNetworkRetries: 1,
    timeout: 2000,
    telemetry: false,
  })
  const product = await stripe.products.create({ name: 'Business' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 800,
    recurring: { interval: 'month' },
    lookup_key: 'business_monthly',
  })
  return { server, stripe, price }
}

type Shop = Awaited<ReturnType<typeof startShop>>

const checkoutParams = ({ price }: Shop, quantity: number): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  customer_email: 'ann@example.com',
  client_reference_id: 'order-1',
  line_items: [{ price: price.id, quantity }],
  success_url: 'http://127.0.0.1:1/done?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://127.0.0.1:1/back',
  metadata: { order: '1' },
  subscription_data: { metadata: { order: '1' } },
})

/** Buys a subscription. */
async function subscribe(shop: Shop, quantity = 3): Promise<Stripe.Subscription> {
  const { id } = await shop.stripe.checkout.sessions.create(checkoutParams(shop, quantity))
  await shop.server.pay(id)
  const { subscription } = await shop.stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })
  if (subscription === null || typeof subscription === 'string') return expect.fail('not expanded')
  return subscription
}

const typesOf = ({ events }: StripeServer): string[] => events.map(({ type }) => type)

const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => items.data[0] ?? expect.fail('no item')

test('a paid checkout has a customer, an active subscription and a paid invoice', async () => {
  const shop = await startShop()
  const { server, stripe } = shop
  const open = await stripe.checkout.sessions.create(checkoutParams(shop, 3))

  const url = await server.pay(open.id)

  const session = await stripe.checkout.sessions.retrieve(open.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  })
  expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2400, subscription: null })
  expect(url).toBe(`http://127.0.0.1:1/done?session_id=${open.id}`)
  expect(session).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'order-1',
    metadata: { order: '1' },
    line_items: { data: [{ quantity: 3 }] },
    subscription: {
      status: 'active',
      metadata: { order: '1' },
      items: {
        data: [
          {
            quantity: 3,
            current_period_start: startMs / 1000,
            current_period_end: Date.UTC(2026, 1, 28, 10) / 1000,
          },
        ],
      },
      latest_invoice: { status: 'paid', amount_paid: 2400, billing_reason: 'subscription_create' },
    },
  })
  expect(session.subscription).not.toHaveProperty('current_period_end')
  expect(server.charges).toMatchObject([{ cents: 2400, customer: session.customer }])
  expect(typesOf(server)).toEqual([
    'customer.created',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
})

test('a pending update waits for the payment of its invoice', async () => {
  const shop = await startShop()
  const { server, stripe } = shop
  const { id, items } = await subscribe(shop)
  server.setChargeOutcome('action')

  const updated = await stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id ?? '', quantity: 5 }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  const invoice = await stripe.invoices.retrieve(String((updated.latest_invoice as Stripe.Invoice).id), {
    expand: ['payments.data.payment.payment_intent'],
  })

  expect(itemOf(updated).quantity).toBe(3)
  expect(updated.pending_update).toMatchObject({ subscription_items: [{ quantity: 5 }] })
  expect(invoice.payments?.data[0]?.payment.payment_intent).toMatchObject({ status: 'requires_action' })
  await server.payInvoice(invoice.id)
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    pending_update: null,
    items: { data: [{ quantity: 5 }] },
  })
  expect(server.charges.map(({ cents }) => cents)).toEqual([2400, 1600])
  await server.advance(28 * dayMs)
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due')
})
