import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { setUpStripe } from '../../modules/billing/stripe/setup/set-up-stripe.ts'
import { onBothDatabases, type Stage } from '../engines/databases.ts'
import { type StripeServer, startStripeServer } from '../stripe/stripe-server.ts'
import type { AccountServerOptions } from './account-server.ts'

/** A payment provider in a test: the test page of the server, or Stripe. */
export interface Payments {
  readonly kind: 'test' | 'stripe'
  /** The options of a server that sells plans through it. */
  readonly options: Pick<AccountServerOptions, 'billing' | 'environment'>
  /** Pays a checkout, and returns whether that was possible. */
  readonly pay: (server: PaidServer, checkoutId: string, options?: PayOptions) => Promise<boolean>
  /** What was charged after the first payments, in cents. */
  readonly laterCharges: () => Promise<number[]>
}

interface PaidServer {
  readonly app: FastifyInstance
}

export interface PayOptions {
  readonly laterCharges?: 'paid' | 'declined'
}

export const webhookSecret = 'whsec_tests'
const stripeKey = 'sk_test_tests'
const webhookPath = '/api/stripe/webhook'

/** Runs the test with each payment provider, on both databases. */
export function onEachProvider(title: string, body: (stage: Stage, payments: Payments) => Promise<void>): void {
  onBothDatabases(`${title} [test page]`, (stage) => body(stage, createTestPayments(stage)))
  onBothDatabases(`${title} [Stripe]`, async (stage) => body(stage, (await startStripePayments(stage)).payments))
}

export const createTestPayments = (stage: Stage): Payments => ({
  kind: 'test',
  options: { billing: 'test' },
  async pay({ app }, checkoutId, { laterCharges = 'paid' } = {}) {
    const url = `/api/billing/test-checkouts/${checkoutId}/pay?later_charges=${laterCharges}`
    return (await app.inject({ method: 'POST', url, payload: {} })).statusCode === 200
  },
  async laterCharges() {
    const charges = stage.db.selectFrom('test_charges').select('cents').where('is_paid', '=', 1)
    return (await charges.orderBy('created_at').execute()).map(({ cents }) => cents)
  },
})

/** Starts a test server of Stripe’s API with the clock of the test and the prices of the plans. Its events are not sent. */
export async function startStripe(now: () => number): Promise<StripeServer> {
  const stripe = await startStripeServer({ key: stripeKey, now })
  const setup = setUpStripe({
    secretKey: stripeKey,
    url: stripe.url,
    version: '0.0.0',
    instanceId: 'tests',
    publicUrl: new URL('http://localhost'),
    hasWebhookSecret: true,
    isDryRun: false,
  })
  for await (const line of setup) if (line === '') throw new Error('The setup said nothing')
  return stripe
}

export const stripeSettings = ({ url }: Pick<StripeServer, 'url'>) => ({
  BILLING: 'stripe',
  STRIPE_SECRET_KEY: stripeKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_URL: url,
})

/** Starts Stripe for a test. A payment is known to the server once it asks, or by `deliver`. */
export async function startStripePayments(stage: Stage) {
  const stripe = await startStripe(stage.now)
  let firstPayments = 0
  const payments: Payments = {
    kind: 'stripe',
    options: { billing: 'stripe', environment: stripeSettings(stripe) },
    async pay(server, checkoutId, { laterCharges = 'paid' } = {}) {
      await stripe.tick()
      const checkout = stripe.checkouts().find(({ id }) => id === checkoutId)
      if (checkout?.status === 'complete') return true
      if (checkout?.status !== 'open') return false
      await stripe.pay(checkoutId)
      firstPayments += 1
      const paid = stripe.checkouts().find(({ id }) => id === checkoutId)
      if (laterCharges === 'declined') stripe.setChargeOutcome('decline', String(paid?.subscription))
      await deliver(server)
      return true
    },
    async laterCharges() {
      return stripe.charges.slice(firstPayments).map(({ cents }) => cents)
    },
  }

  /** Sends the events so far to the server, and waits until it has read what they are about. */
  async function deliver({ app }: PaidServer): Promise<void> {
    for (const event of stripe.takeEvents()) {
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': event.signature([webhookSecret], stage.now()),
      }
      const answer = await app.inject({ method: 'POST', url: webhookPath, payload: event.body, headers })
      expect(answer.statusCode, event.type).toBe(200)
      event.isDelivered = true
    }
    await expect
      .poll(() => stage.db.selectFrom('stale_payments').select('provider_id').where('attempts', '=', 0).execute())
      .toEqual([])
  }

  return { stripe, payments, deliver }
}
