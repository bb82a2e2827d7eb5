import type { Stripe } from 'stripe'
import type { BillingProvider, SeatsOutcome } from '../billing-provider.ts'
import { isDeclined } from './stripe-errors.ts'
import { findPayUrl, voidPendingInvoice } from './stripe-pending-updates.ts'
import { soleItem } from './stripe-subscriptions.ts'

interface StripeSeatsDeps {
  readonly stripe: Stripe
  readonly now: () => number
}

type SeatsOrder = Parameters<BillingProvider['setSeats']>[1]

/** More seats for subscriptions at Stripe, which charges the rest of the period at once. */
export function createStripeSeats({
  stripe,
  now,
}: StripeSeatsDeps): Pick<BillingProvider, 'previewSeats' | 'setSeats'> {
  const retrieve = (providerId: string) => stripe.subscriptions.retrieve(providerId)

  async function charge(subscription: Stripe.Subscription, order: SeatsOrder): Promise<void> {
    const { quantity, orderId, proratedAt } = order
    const params: Stripe.SubscriptionUpdateParams = {
      items: [{ id: soleItem(subscription).id, quantity }],
      proration_behavior: 'always_invoice',
      proration_date: Math.floor(proratedAt / 1000),
      payment_behavior: 'pending_if_incomplete',
    }
    await stripe.subscriptions.update(subscription.id, params, { idempotencyKey: orderId }).catch((error: unknown) => {
      if (!isDeclined(error)) throw error
    })
  }

  /** Reads what came of an order: Stripe answers a repeated request as it answered the first one, whatever happened since. */
  async function findOutcome(providerId: string, quantity: number): Promise<SeatsOutcome> {
    const subscription = await retrieve(providerId)
    if (quantityOf(subscription) >= quantity) return 'done'
    const pendingQuantity = subscription.pending_update?.subscription_items?.[0]?.quantity ?? quantity
    // The pending update of a later order.
    if (pendingQuantity !== quantity) return 'declined'
    const payUrl = await findPayUrl(stripe, subscription)
    if (payUrl !== null) return { payUrl }
    await voidPendingInvoice(stripe, subscription)
    return quantityOf(await retrieve(providerId)) >= quantity ? 'done' : 'declined'
  }

  return {
    async previewSeats(providerId, quantity) {
      const subscription = await retrieve(providerId)
      const proratedAt = Math.floor(now() / 1000)
      const { amount_due } = await stripe.invoices.createPreview({
        subscription: providerId,
        subscription_details: {
          items: [{ id: soleItem(subscription).id, quantity }],
          proration_behavior: 'always_invoice',
          proration_date: proratedAt,
        },
      })
      return { nowCents: Math.max(0, amount_due), proratedAt: proratedAt * 1000 }
    },
    async setSeats(providerId, order) {
      const subscription = await retrieve(providerId)
      // Seats are only added: more of them may have been bought since.
      if (quantityOf(subscription) >= order.quantity) return 'done'
      await charge(subscription, order)
      return findOutcome(providerId, order.quantity)
    },
  }
}

const quantityOf = (subscription: Stripe.Subscription): number => soleItem(subscription).quantity ?? 1
