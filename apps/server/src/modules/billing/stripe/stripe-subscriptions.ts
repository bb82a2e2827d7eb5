import type { Stripe } from 'stripe'
import type { BillingProvider, ListedSubscription } from '../billing-provider.ts'
import type { SubscriptionSnapshot } from '../subscription.rules.ts'
import { isInvalidRequest, isMissing, paymentsRefused } from './stripe-errors.ts'
import { idOf, isOwn, metadataKeys, pageSize } from './stripe-objects.ts'
import { voidLatestInvoice, voidPendingInvoice } from './stripe-pending-updates.ts'

interface StripeSubscriptionsDeps {
  readonly stripe: Stripe
  readonly instanceId: string
}

type SubscriptionFunctions = Pick<
  BillingProvider,
  'getSubscription' | 'setCancelAtPeriodEnd' | 'cancelImmediately' | 'extend'
>

const daySeconds = 24 * 60 * 60
const endedStatuses: readonly string[] = ['canceled', 'incomplete_expired']
const unpaidStatuses: readonly string[] = ['past_due', 'unpaid']

/** Subscriptions at Stripe. */
export function createStripeSubscriptions({ stripe, instanceId }: StripeSubscriptionsDeps) {
  const retrieve = (providerId: string) => stripe.subscriptions.retrieve(providerId)

  async function find(providerId: string): Promise<Stripe.Subscription | null> {
    try {
      return await retrieve(providerId)
    } catch (error) {
      if (isMissing(error, 'id')) return null
      throw error
    }
  }

  const functions: SubscriptionFunctions = {
    async getSubscription(providerId) {
      const subscription = await find(providerId)
      return subscription && describeSubscription(subscription)
    },
    async setCancelAtPeriodEnd(providerId) {
      const subscription = await find(providerId)
      if (subscription === null || hasEnded(subscription) || isCancelling(subscription)) return
      await stripe.subscriptions.update(providerId, { cancel_at_period_end: true })
    },
    async cancelImmediately(providerId) {
      const subscription = await find(providerId)
      if (subscription === null || hasEnded(subscription)) return
      await voidPendingInvoice(stripe, subscription)
      try {
        await stripe.subscriptions.cancel(providerId, { invoice_now: false, prorate: false })
      } catch (error) {
        // Of two requests the later one is rejected.
        if (!isInvalidRequest(error) || !hasEnded(await retrieve(providerId))) throw error
      }
      if (unpaidStatuses.includes(subscription.status)) await voidLatestInvoice(stripe, subscription)
    },
    async extend(providerId, days) {
      const subscription = await retrieve(providerId)
      const trialEnd = soleItem(subscription).current_period_end + days * daySeconds
      const { cancel_at } = await stripe.subscriptions.update(providerId, {
        trial_end: trialEnd,
        proration_behavior: 'none',
        ...(subscription.cancel_at_period_end && { cancel_at_period_end: true }),
      })
      // An end at a fixed time does not move with the period.
      if (isCancelling(subscription) && cancel_at !== null && cancel_at < trialEnd)
        await stripe.subscriptions.update(providerId, { cancel_at: trialEnd, proration_behavior: 'none' })
    },
  }

  return {
    ...functions,
    /** All subscriptions of this instance that have not ended. */
    async *listSubscriptions(): AsyncGenerator<ListedSubscription> {
      for await (const subscription of stripe.subscriptions.list({ limit: pageSize })) {
        // One that was changed by hand has no snapshot, and must not hide the others.
        if (!isOwn(subscription, instanceId) || hasEnded(subscription) || subscription.items.data.length !== 1) continue
        yield {
          providerId: subscription.id,
          checkoutId: subscription.metadata[metadataKeys.checkout] ?? null,
          snapshot: describeSubscription(subscription),
        }
      }
    },
  }
}

const hasEnded = ({ status, ended_at }: Stripe.Subscription): boolean =>
  ended_at !== null || endedStatuses.includes(status)

/** With flexible billing the end may be a time of its own. */
const isCancelling = ({ cancel_at_period_end, cancel_at }: Stripe.Subscription): boolean =>
  cancel_at_period_end || cancel_at !== null

/** The item of a subscription. Throws PAYMENTS_REFUSED if it has several, which only a change by hand can cause. */
export function soleItem({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item, ...others] = items.data
  if (item === undefined || others.length > 0)
    throw paymentsRefused(`The subscription ${id} has ${items.data.length} items, expected one`)
  return item
}

/** The state of a subscription, as far as it counts here. */
function describeSubscription(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const { id, status, customer, ended_at } = subscription
  const { price, quantity = 1, current_period_start, current_period_end } = soleItem(subscription)
  if (price.unit_amount === null) throw paymentsRefused(`The price of the subscription ${id} has no whole cents`)
  return {
    status,
    priceCents: price.unit_amount,
    quantity,
    periodStart: current_period_start * 1000,
    periodEnd: current_period_end * 1000,
    cancelsAtPeriodEnd: isCancelling(subscription),
    endedAt: ended_at === null ? null : ended_at * 1000,
    customerId: idOf(customer),
  }
}
