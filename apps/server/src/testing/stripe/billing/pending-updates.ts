import { emit, updateSubscription } from '../state/events.ts'
import { requireEntry, type StoredInvoice, type StoredSubscription, type StripeState } from '../state/state.ts'
import { subscriptionIdOf, voidInvoice } from './invoices.ts'
import { firstItem, type Quantities } from './proration.ts'

const maxPendingSeconds = 23 * 60 * 60

/** Sets the quantities of items. */
export function applyQuantities(subscription: StoredSubscription, quantities: Quantities): void {
  for (const item of subscription.items.data) {
    const quantity = quantities.get(item.id)
    if (quantity !== undefined) item.quantity = quantity
  }
}

/** Lets new quantities wait for the payment of an invoice, for 23 hours but not beyond the period. */
export function addPendingUpdate(
  state: StripeState,
  subscription: StoredSubscription,
  quantities: Quantities,
  invoice: StoredInvoice,
): void {
  subscription.pending_update = {
    billing_cycle_anchor: null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: Math.min(state.clock.seconds() + maxPendingSeconds, firstItem(subscription).current_period_end),
    metadata: null,
    subscription_items: subscription.items.data.map((item) => ({
      ...structuredClone(item),
      quantity: quantities.get(item.id) ?? item.quantity ?? 1,
    })),
    trial_end: null,
    trial_from_plan: null,
  }
  state.pendingInvoices.set(subscription.id, invoice.id)
}

/** Applies what waited for an invoice that has been paid, if anything did. */
export function applyPendingUpdate(state: StripeState, invoice: StoredInvoice): void {
  const id = subscriptionIdOf(invoice)
  if (state.pendingInvoices.get(id) !== invoice.id) return
  const subscription = requireEntry(state.subscriptions, id)
  const items = subscription.pending_update?.subscription_items ?? []
  state.pendingInvoices.delete(id)
  updateSubscription(state, subscription, () => {
    applyQuantities(subscription, new Map(items.map((item) => [item.id, item.quantity ?? 1])))
    subscription.pending_update = null
  })
  emit(state, 'customer.subscription.pending_update_applied', subscription)
}

/** Discards a pending update and voids its invoice, if there is one. */
export function discardPendingUpdate(state: StripeState, subscription: StoredSubscription): void {
  const invoiceId = state.pendingInvoices.get(subscription.id)
  if (invoiceId === undefined) return
  const invoice = requireEntry(state.invoices, invoiceId)
  state.pendingInvoices.delete(subscription.id)
  if (invoice.status === 'open') voidInvoice(state, invoice)
  updateSubscription(state, subscription, () => {
    subscription.pending_update = null
  })
}

/** Discards a pending update that has not been paid in time. */
export function expirePendingUpdate(state: StripeState, subscription: StoredSubscription): void {
  discardPendingUpdate(state, subscription)
  emit(state, 'customer.subscription.pending_update_expired', subscription)
}
