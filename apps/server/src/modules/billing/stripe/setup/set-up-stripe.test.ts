import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { startStripeServer } from '../../../../testing/stripe/stripe-server.ts'
import type { SoldPlan } from './set-up-prices.ts'
import { setUpStripe } from './set-up-stripe.ts'

const plans: readonly SoldPlan[] = [
  { plan: 'personal', name: 'Personal', cents: 1000 },
  { plan: 'business', name: 'Business', cents: 800 },
]

interface SetupInput {
  readonly publicUrl?: string
  readonly instanceId?: string
  readonly isDryRun?: boolean
  readonly hasWebhookSecret?: boolean
  readonly plans?: readonly SoldPlan[]
}

async function startAccount() {
  const server = await startStripeServer()
  const { host, port, key } = server
  const sdk = new Stripe(key, { host, port, protocol: 'http', telemetry: false })
  const setUp = ({ publicUrl = 'https://files.example', plans: sold = plans, ...given }: SetupInput = {}) => {
    const options = { instanceId: 'instance', isDryRun: false, hasWebhookSecret: true, ...given }
    const client = { secretKey: key, url: server.url, version: '1' }
    return Array.fromAsync(setUpStripe({ ...options, ...client, publicUrl: new URL(publicUrl) }, sold))
  }
  const writes = () => server.requests.filter(({ method }) => method !== 'GET').length
  const read = async () => ({
    products: (await sdk.products.list()).data,
    prices: (await sdk.prices.list()).data,
    endpoints: (await sdk.webhookEndpoints.list()).data,
    portals: (await sdk.billingPortal.configurations.list()).data,
  })
  return { sdk, setUp, writes, read }
}

test('the setup creates everything, prints the secret once, and a second time changes nothing', async () => {
  const { setUp, writes, read } = await startAccount()

  const first = await setUp()
  const writesOfFirst = writes()
  const second = await setUp()

  expect(first).toEqual([
    expect.stringMatching(/^Product Personal: created prod_\w+$/),
    expect.stringMatching(/^Price sallyport_personal_monthly: created price_\w+ of \$10\.00 per month$/),
    expect.stringMatching(/^Product Business: created prod_\w+$/),
    expect.stringMatching(/^Price sallyport_business_seat_monthly: created price_\w+ of \$8\.00 per month$/),
    expect.stringMatching(/^Customer portal: created bpc_\w+$/),
    expect.stringMatching(/^Webhook endpoint: created we_\w+ at https:\/\/files\.example\/api\/stripe\/webhook$/),
    expect.stringMatching(
      /^Set STRIPE_WEBHOOK_SECRET=whsec_\w+ and restart the server\. This secret is not printed again/,
    ),
  ])
  expect(writesOfFirst).toBe(6)
  expect(second).toEqual([
    expect.stringMatching(/^Product Personal: prod_\w+ exists$/),
    expect.stringMatching(/^Price sallyport_personal_monthly: price_\w+ is \$10\.00 per month$/),
    expect.stringMatching(/^Product Business: prod_\w+ exists$/),
    expect.stringMatching(/^Price sallyport_business_seat_monthly: price_\w+ is \$8\.00 per month$/),
    expect.stringMatching(/^Customer portal: bpc_\w+ exists$/),
    expect.stringMatching(/^Webhook endpoint: we_\w+ is at https:\/\/files\.example\/api\/stripe\/webhook$/),
  ])
  expect(writes()).toBe(writesOfFirst)
  const { portals, endpoints, prices } = await read()
  expect(portals).toMatchObject([
    {
      metadata: { sallyport_instance: 'instance' },
      features: {
        payment_method_update: { enabled: true },
        invoice_history: { enabled: true },
        customer_update: { enabled: false },
        subscription_cancel: { enabled: false },
        subscription_update: { enabled: false },
      },
    },
  ])
  expect(endpoints).toMatchObject([{ api_version: '2026-10-28.endive', metadata: { sallyport_instance: 'instance' } }])
  expect(endpoints[0]?.enabled_events.toSorted()).toEqual(
    [
      'checkout.session.async_payment_failed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
      'customer.subscription.created',
      'customer.subscription.deleted',
      'customer.subscription.paused',
      'customer.subscription.pending_update_applied',
      'customer.subscription.pending_update_expired',
      'customer.subscription.resumed',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_action_required',
      'invoice.payment_failed',
    ].toSorted(),
  )
  expect(prices).toHaveLength(2)
})

test('a dry run writes nothing, neither on an empty account nor before a change', async () => {
  const { setUp, writes } = await startAccount()

  const empty = await setUp({ isDryRun: true })
  expect(writes()).toBe(0)
  await setUp()
  const before = writes()
  const dearer = await setUp({
    isDryRun: true,
    publicUrl: 'https://new.example',
    plans: [{ plan: 'personal', name: 'Personal', cents: 1200 }],
  })

  expect(empty).toEqual([
    'Product Personal: would create one',
    'Price sallyport_personal_monthly: would create one of $10.00 per month',
    'Product Business: would create one',
    'Price sallyport_business_seat_monthly: would create one of $8.00 per month',
    'Customer portal: would create a configuration',
    'Webhook endpoint: would create one at https://files.example/api/stripe/webhook',
  ])
  expect(dearer).toEqual([
    expect.stringMatching(/^Product Personal: prod_\w+ exists$/),
    expect.stringMatching(/^Price sallyport_personal_monthly: price_\w+ is 1000 usd, expected 1200 usd$/),
    'Price sallyport_personal_monthly: would create one of $12.00 per month',
    expect.stringMatching(/would deactivate price_\w+; running subscriptions keep it$/),
    expect.stringMatching(/^Customer portal: bpc_\w+ exists$/),
    expect.stringMatching(/^Webhook endpoint: would update URL of we_\w+ at https:\/\/new\.example/),
  ])
  expect(writes()).toBe(before)
})

test('another amount gets a new price under the same name, and the old one becomes inactive', async () => {
  const { setUp, read, sdk } = await startAccount()
  await setUp()
  const [old] = (await sdk.prices.list({ lookup_keys: ['sallyport_personal_monthly'] })).data

  const lines = await setUp({ plans: [{ plan: 'personal', name: 'Personal', cents: 1200 }] })

  const { prices, products } = await read()
  const ofPersonal = prices.filter(({ product }) => product === old?.product)
  expect(ofPersonal.find(({ id }) => id === old?.id)).toMatchObject({ active: false, lookup_key: null })
  expect(ofPersonal.filter(({ active }) => active)).toMatchObject([
    { unit_amount: 1200, lookup_key: 'sallyport_personal_monthly' },
  ])
  expect(products).toHaveLength(2)
  expect(lines.slice(1, 4)).toEqual([
    `Price sallyport_personal_monthly: ${old?.id} is 1000 usd, expected 1200 usd`,
    expect.stringMatching(/: created price_\w+ of \$12\.00 per month$/),
    `Price sallyport_personal_monthly: deactivated ${old?.id}; running subscriptions keep it`,
  ])
})

test('a setup that was interrupted before the old price was deactivated is completed by the next one', async () => {
  const { setUp, sdk, read } = await startAccount()
  await setUp()
  const [price] = (await sdk.prices.list({ lookup_keys: ['sallyport_personal_monthly'] })).data
  const left = await sdk.prices.create({
    product: String(price?.product),
    currency: 'usd',
    unit_amount: 700,
    recurring: { interval: 'month' },
    metadata: { sallyport_plan: 'personal' },
  })
  const byHand = await sdk.prices.create({
    product: String(price?.product),
    currency: 'usd',
    unit_amount: 9000,
    recurring: { interval: 'year' },
  })

  expect(await setUp()).toContainEqual(expect.stringContaining(`deactivated ${left.id}`))

  const active = (await read()).prices.filter((one) => one.active).map(({ id }) => id)
  expect(active).toContain(byHand.id)
  expect(active).not.toContain(left.id)
})

test('a product that was archived by hand is activated', async () => {
  const { setUp, sdk, read } = await startAccount()
  await setUp()
  const [product] = (await read()).products
  await sdk.products.update(product?.id ?? '', { active: false })

  expect(await setUp()).toContainEqual(expect.stringContaining(`activated ${product?.id}`))
  expect((await read()).products.every(({ active }) => active)).toBe(true)
})

test('the endpoint and the portal of this instance are corrected, and those of others stay', async () => {
  const { setUp, sdk, read } = await startAccount()
  await setUp({ instanceId: 'other', publicUrl: 'https://other.example' })
  await setUp()
  const own = (await read()).endpoints.find(({ url }) => url.startsWith('https://files.example'))
  await sdk.webhookEndpoints.update(own?.id ?? '', { enabled_events: ['invoice.paid'], disabled: true })
  const portal = (await read()).portals.find(({ metadata }) => metadata?.['sallyport_instance'] === 'instance')
  await sdk.billingPortal.configurations.update(portal?.id ?? '', {
    features: { subscription_cancel: { enabled: true } },
  })

  const lines = await setUp({ publicUrl: 'https://new.example' })

  const { endpoints, portals, products } = await read()
  expect(lines.slice(-2)).toEqual([
    `Customer portal: updated subscription_cancel of ${portal?.id}`,
    `Webhook endpoint: updated URL, events, status of ${own?.id} at https://new.example/api/stripe/webhook`,
  ])
  expect(endpoints.map(({ url, status, enabled_events }) => [url, status, enabled_events.length]).toSorted()).toEqual([
    ['https://new.example/api/stripe/webhook', 'enabled', 14],
    ['https://other.example/api/stripe/webhook', 'enabled', 14],
  ])
  expect(portals.map(({ features }) => features.subscription_cancel.enabled)).toEqual([false, false])
  expect(products).toHaveLength(2)
})

test('an endpoint with another API version has to be created again, and without a secret the operator reads how to get it', async () => {
  const { setUp, sdk } = await startAccount()
  const { id } = await sdk.webhookEndpoints.create({
    url: 'https://files.example/api/stripe/webhook',
    enabled_events: ['*'],
    api_version: '2025-03-31.basil',
    metadata: { sallyport_instance: 'instance' },
  })

  expect((await setUp({ hasWebhookSecret: false })).slice(-2)).toEqual([
    `Set STRIPE_WEBHOOK_SECRET to the signing secret of ${id}, which the Stripe Dashboard shows, and restart the server`,
    `Webhook endpoint: ${id} has the API version 2025-03-31.basil, expected 2026-10-28.endive. Stripe cannot change it: delete the endpoint in the Stripe Dashboard and run this command again`,
  ])
})

test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:3000'])(
  'no endpoint is created for %s',
  async (publicUrl) => {
    const { setUp, read } = await startAccount()

    expect((await setUp({ publicUrl })).at(-1)).toBe(
      `Webhook endpoint: skipped, because Stripe cannot reach ${publicUrl}. Without it, plans change as well, but later`,
    )
    expect((await read()).endpoints).toEqual([])
  },
)
