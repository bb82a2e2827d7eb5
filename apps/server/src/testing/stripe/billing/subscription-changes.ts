import { invalidRequest, StripeApiError } from '../http/stripe-error.ts'
import { updateSubscription } from '../state/events.ts'
import type { StoredSubscription, StripeState } from '../state/state.ts'
import { chargeInvoice, declinedMessage, outcomeOf } from './charges.ts'
import { createInvoice, draftInvoice } from './invoices.ts'
import { addPendingUpdate, applyQuantities, discardPendingUpdate } from './pending-updates.ts'
import { firstItem, prorate, type Quantities } from './proration.ts'
import { setPeriod } from './renewals.ts'

interface QuantityChange {
  readonly quantities: Quantities
  readonly prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
  readonly prorationDate: number
  readonly paymentBehavior: 'allow_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'
}

/** Changes quantities, and charges the rest of the period now, later or never. */
export function changeQuantities(state: StripeState, subscription: StoredSubscription, change: QuantityChange): void {
  const { quantities, prorationBehavior, prorationDate, paymentBehavior } = change
  const lines = prorationBehavior === 'none' ? [] : prorate(subscription, quantities, prorationDate)
  if (prorationBehavior !== 'always_invoice' || lines.length === 0) {
    state.pendingLines.set(subscription.id, [...(state.pendingLines.get(subscription.id) ?? []), ...lines])
    updateSubscription(state, subscription, () => applyQuantities(subscription, quantities))
    return
  }
  const outcome = outcomeOf(state, subscription.id)
  const options = { lines, reason: 'subscription_update', prorationDate } as const
  const { amount_due } = draftInvoice(state, subscription, options)
  if (paymentBehavior === 'error_if_incomplete' && outcome !== 'pay' && amount_due > 0) throw cardDeclined()
  discardPendingUpdate(state, subscription)
  const isPending = paymentBehavior === 'pending_if_incomplete'
  updateSubscription(state, subscription, () => {
    const invoice = createInvoice(state, subscription, { ...options, isRetried: !isPending })
    const isPaid = chargeInvoice(state, invoice, outcome)
    if (!isPaid && isPending) {
      addPendingUpdate(state, subscription, quantities, invoice)
      return
    }
    applyQuantities(subscription, quantities)
    if (!isPaid) subscription.status = 'past_due'
  })
}

const cardDeclined = (): StripeApiError =>
  new StripeApiError(402, declinedMessage, {
    type: 'card_error',
    code: 'card_declined',
    declineCode: 'generic_decline',
  })

/** Starts a free trial, which is the new period. */
export function startTrial(state: StripeState, subscription: StoredSubscription, end: number): void {
  const now = state.clock.seconds()
  if (end <= now)
    throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end')
  updateSubscription(state, subscription, () => {
    subscription.status = 'trialing'
    subscription.trial_start = now
    subscription.trial_end = end
    subscription.billing_cycle_anchor = end
    setPeriod(subscription, now, end)
    if (subscription.cancel_at_period_end) subscription.cancel_at = end
    const invoice = createInvoice(state, subscription, { lines: [], reason: 'subscription_update', isRetried: false })
    chargeInvoice(state, invoice, 'pay')
  })
}

/** Cancels a subscription at the end of its period, or no longer. */
export function setCancelAtPeriodEnd(state: StripeState, subscription: StoredSubscription, isCanceled: boolean): void {
  setCancelAt(state, subscription, isCanceled ? firstItem(subscription).current_period_end : null)
  subscription.cancel_at_period_end = isCanceled
}

/** Cancels a subscription at a time; null for no longer. */
export function setCancelAt(state: StripeState, subscription: StoredSubscription, at: number | null): void {
  const now = state.clock.seconds()
  if (at !== null && at <= now) throw invalidRequest('`cancel_at` must be in the future.', 'cancel_at')
  subscription.cancel_at = at
  subscription.cancel_at_period_end = false
  subscription.canceled_at = at === null ? null : now
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: at === null ? null : 'cancellation_requested',
  }
}
