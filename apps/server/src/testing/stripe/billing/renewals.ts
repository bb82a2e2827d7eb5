import type { Stripe } from 'stripe'
import { emit, updateSubscription } from '../state/events.ts'
import { requireEntry, type StoredInvoice, type StoredSubscription, type StripeState } from '../state/state.ts'
import { chargeInvoice, maxAttempts, outcomeOf } from './charges.ts'
import { createInvoice, subscriptionIdOf } from './invoices.ts'
import { applyPendingUpdate } from './pending-updates.ts'
import { periodEndAfter } from './periods.ts'
import { firstItem, periodLines, priceOf } from './proration.ts'

export const hasEnded = ({ status }: StoredSubscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

/** Sets the period of all items. */
export function setPeriod(subscription: StoredSubscription, start: number, end: number): void {
  for (const item of subscription.items.data) {
    item.current_period_start = start
    item.current_period_end = end
  }
}

/** Moves a subscription to its next period and charges that. Without payment it is past due. */
export function renew(state: StripeState, subscription: StoredSubscription): void {
  const item = firstItem(subscription)
  const start = item.current_period_end
  const end = periodEndAfter(start, subscription.billing_cycle_anchor, priceOf(item).recurring)
  updateSubscription(state, subscription, () => {
    setPeriod(subscription, start, end)
    const lines = [...(state.pendingLines.get(subscription.id) ?? []), ...periodLines(subscription, { start, end })]
    state.pendingLines.delete(subscription.id)
    const invoice = createInvoice(state, subscription, { lines, reason: 'subscription_cycle', isRetried: true })
    const isPaid = chargeInvoice(state, invoice, outcomeOf(state, subscription.id))
    if (!isPaid) subscription.status = 'past_due'
    else if (subscription.status === 'trialing') subscription.status = 'active'
  })
}

/** Charges an invoice again. After the last attempt the subscription is canceled. */
export function retryInvoice(state: StripeState, invoice: StoredInvoice): void {
  const subscription = requireEntry(state.subscriptions, subscriptionIdOf(invoice))
  if (chargeInvoice(state, invoice, outcomeOf(state, subscription.id))) handlePayment(state, invoice)
  else if (invoice.attempt_count >= maxAttempts) endSubscription(state, subscription, 'payment_failed')
}

/** Charges an open invoice as the customer does on its page, with a card that works. */
export function payByCustomer(state: StripeState, invoice: StoredInvoice): void {
  if (invoice.status !== 'open') throw new Error(`The invoice ${invoice.id} is ${invoice.status}, not open`)
  chargeInvoice(state, invoice, 'pay')
  handlePayment(state, invoice)
}

/** Applies what waited for an invoice, and ends the state past due after the last open invoice. */
function handlePayment(state: StripeState, invoice: StoredInvoice): void {
  applyPendingUpdate(state, invoice)
  const id = subscriptionIdOf(invoice)
  const subscription = requireEntry(state.subscriptions, id)
  const pendingInvoice = state.pendingInvoices.get(id)
  const isUnpaid = [...state.invoices.values()].some(
    (other) => subscriptionIdOf(other) === id && other.status === 'open' && other.id !== pendingInvoice,
  )
  if (subscription.status !== 'past_due' || isUnpaid) return
  updateSubscription(state, subscription, () => {
    subscription.status = 'active'
  })
}

/** Cancels a subscription now. Its open invoices remain, but are no longer charged. */
export function endSubscription(
  state: StripeState,
  subscription: StoredSubscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
): void {
  const at = state.clock.seconds()
  state.pendingInvoices.delete(subscription.id)
  state.pendingLines.delete(subscription.id)
  subscription.pending_update = null
  subscription.status = 'canceled'
  subscription.ended_at = at
  subscription.canceled_at ??= at
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
  for (const invoice of state.invoices.values()) {
    if (invoice.status !== 'open' || subscriptionIdOf(invoice) !== subscription.id) continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
  }
  emit(state, 'customer.subscription.deleted', subscription)
}
