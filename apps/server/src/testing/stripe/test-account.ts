import { Stripe } from 'stripe'
import { expect } from 'vitest'
import { type StripeServer, startStripeServer } from './stripe-server.ts'

export const daySeconds = 24 * 60 * 60
export const dayMs = daySeconds * 1000
/** 31 January, so that the first periods end on 28 February and 31 March. */
export const startMs = Date.UTC(2026, 0, 31, 10)

/** Starts the Stripe test server with a price of 8 dollars per month. */
export async function startTestAccount() {
  const server = await startStripeServer({ now: () => startMs })
  const stripe = clientOf(server)
  const product = await stripe.products.create({ name: 'Business' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 800,
    recurring: { interval: 'month' },
    lookup_key: 'business_monthly',
  })
  return { server, stripe, product, price }
}

export type TestAccount = Awaited<ReturnType<typeof startTestAccount>>

export const clientOf = (server: StripeServer, config: Stripe.StripeConfig = {}): Stripe =>
  new Stripe(server.key, {
    host: server.host,
    port: server.port,
    protocol: 'http',
    maxNetworkRetries: 1,
    timeout: 2000,
    telemetry: false,
    ...config,
  })

export const checkoutParams = ({ price }: TestAccount, quantity = 3) =>
  ({
    mode: 'subscription',
    customer_email: 'ann@example.com',
    client_reference_id: 'order-1',
    line_items: [{ price: price.id, quantity }],
    success_url: 'http://127.0.0.1:1/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/back?plan=business',
    metadata: { order: '1' },
    subscription_data: { metadata: { order: '1' } },
  }) satisfies Stripe.Checkout.SessionCreateParams

/** Buys a subscription. */
export async function subscribe(account: TestAccount, quantity = 3): Promise<Stripe.Subscription> {
  const { id } = await account.stripe.checkout.sessions.create(checkoutParams(account, quantity))
  await account.server.pay(id)
  const { subscription } = await account.stripe.checkout.sessions.retrieve(id)
  return account.stripe.subscriptions.retrieve(String(subscription))
}

export const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem =>
  items.data[0] ?? expect.fail('no item')

/** An update to another quantity that is charged now. */
export const quantityParams = (subscription: Stripe.Subscription, quantity: number) =>
  ({
    items: [{ id: itemOf(subscription).id, quantity }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  }) satisfies Stripe.SubscriptionUpdateParams

export const typesOf = ({ events }: StripeServer): string[] => events.map(({ type }) => type)

export const centsOf = ({ charges }: StripeServer): number[] => charges.map(({ cents }) => cents)
