import { randomBytes } from 'node:crypto'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import type { BillingProvider } from '../billing-provider.ts'
import type { SubscriptionSnapshot } from '../subscription.rules.ts'
import type { TestBillingStore, TestCheckout } from './test-billing.store.ts'
import { describeTestSubscription, periodUntil, prorate } from './test-subscription.rules.ts'

interface TestProviderDeps extends Pick<ServerContext, 'publicUrl' | 'now'> {
  readonly store: TestBillingStore
}

const checkoutMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const idBytes = 32
/** Replaced by the id of the checkout in the URL after a payment. */
const idTemplate = '{CHECKOUT_SESSION_ID}'

const wholeSecond = (time: number): number => Math.floor(time / 1000) * 1000

/** Takes payments on a page of this server. No money moves; everything else is as with a real provider. */
export function createTestProvider({ store, publicUrl, now }: TestProviderDeps) {
  async function findCheckout(id: string): Promise<TestCheckout> {
    const checkout = await store.findCheckout(id)
    if (!checkout) throw apiError('CHECKOUT_NOT_FOUND')
    return checkout
  }

  async function describe(subscriptionId: string, at = now()): Promise<SubscriptionSnapshot> {
    const { price_cents, quantity, started_at, ends_at } = await store.findSubscription(subscriptionId)
    return describeTestSubscription({ priceCents: price_cents, quantity, startedAt: started_at, endsAt: ends_at }, at)
  }

  async function previewSeats(id: string, quantity: number, proratedAt = wholeSecond(now())) {
    // The period of the order, which may be over when it is carried out.
    const { quantity: paidSeats, ...subscription } = await describe(id, proratedAt)
    const additionalSeats = quantity - paidSeats
    return { nowCents: prorate({ ...subscription, additionalSeats, at: proratedAt }), proratedAt }
  }

  const stateOf = ({ subscription_id, expires_at }: TestCheckout): 'open' | 'paid' | 'expired' => {
    if (subscription_id !== null) return 'paid'
    return expires_at > now() ? 'open' : 'expired'
  }

  const provider: BillingProvider = {
    async createCheckout({ priceCents, quantity, customerEmail, successUrl, cancelUrl }) {
      const id = createId('tcs_')
      const expiresAt = now() + checkoutMs
      await store.addCheckout({
        id,
        price_cents: priceCents,
        quantity,
        customer_email: customerEmail,
        success_url: successUrl,
        cancel_url: cancelUrl,
        expires_at: expiresAt,
        subscription_id: null,
      })
      return { providerId: id, url: new URL(`/checkout/test/${id}`, publicUrl).href, expiresAt }
    },
    async getCheckout(id) {
      const checkout = await findCheckout(id)
      return { state: stateOf(checkout), subscriptionId: checkout.subscription_id }
    },
    expireCheckout: (id) => store.setExpiry(id, now()),
    getSubscription: (id) => describe(id),
    async setCancelAtPeriodEnd(id) {
      await store.endSubscription(id, (await describe(id)).periodEnd)
    },
    async cancelImmediately(id) {
      const { endedAt } = await describe(id)
      if (endedAt === null) await store.moveEnd(id, wholeSecond(now()))
    },
    previewSeats,
    async setSeats(id, { quantity, orderId, proratedAt }) {
      const { nowCents } = await previewSeats(id, quantity, proratedAt)
      const charge = { order_id: orderId, subscription_id: id, cents: nowCents, created_at: now() }
      const { endedAt } = await describe(id)
      return (await store.charge(charge, { quantity, isOver: endedAt !== null })) ? 'done' : 'declined'
    },
    async extend(id, days) {
      const { periodEnd, cancelsAtPeriodEnd } = await describe(id)
      const extended = periodUntil(periodEnd + days * dayMs)
      await store.moveSubscription(id, {
        startedAt: extended.start,
        endsAt: cancelsAtPeriodEnd ? extended.end : null,
      })
    },
    createPortalUrl: async () => null,
    removeOldCheckouts: store.removeOldCheckouts,
  }

  return {
    ...provider,
    /** What the page of a checkout shows; the address only while it can be paid. Throws CHECKOUT_NOT_FOUND. */
    async showCheckout(id: string) {
      const checkout = await findCheckout(id)
      const state = stateOf(checkout)
      return {
        ...withSuccessUrl(checkout),
        plan: 'personal' as const,
        organization_name: null,
        customer_email: state === 'open' ? checkout.customer_email : '',
        state,
      }
    },
    /** Pays a checkout, once; its later charges are paid or declined. Throws CHECKOUT_EXPIRED if it can no longer be paid. */
    async pay(id: string, declinesLaterCharges: boolean): Promise<TestCheckout> {
      const subscriptionId = createId('tsub_')
      await store.pay({ id, subscriptionId, declinesLaterCharges, now: now(), startedAt: wholeSecond(now()) })
      const checkout = await findCheckout(id)
      if (checkout.subscription_id === null) throw apiError('CHECKOUT_EXPIRED')
      return withSuccessUrl(checkout)
    },
  }
}

export type TestProvider = ReturnType<typeof createTestProvider>

const withSuccessUrl = (checkout: TestCheckout): TestCheckout => ({
  ...checkout,
  success_url: checkout.success_url.replace(idTemplate, checkout.id),
})

const createId = (prefix: string): string => prefix + randomBytes(idBytes).toString('base64url')
