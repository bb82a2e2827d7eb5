import { emit } from '../state/events.ts'
import type { ChargeOutcome, StoredInvoice, StripeState } from '../state/state.ts'
import { paymentsOf, subscriptionIdOf } from './invoices.ts'

const daySeconds = 24 * 60 * 60
/** Days from each failed charge to the next one. */
const retryDays = [3, 5, 7, 7] as const

export const declinedMessage = 'Your card was declined.'

/** How often an invoice is charged before its subscription ends. */
export const maxAttempts = retryDays.length + 1

/** What a charge without the customer results in. */
export const outcomeOf = ({ outcomes }: StripeState, subscription: string): ChargeOutcome =>
  outcomes.bySubscription.get(subscription) ?? outcomes.all

/** Charges an open invoice, and returns whether it is paid then. The caller changes the subscription. */
export function chargeInvoice(state: StripeState, invoice: StoredInvoice, outcome: ChargeOutcome): boolean {
  if (invoice.amount_due > 0) {
    invoice.attempt_count += 1
    invoice.attempted = true
  }
  if (invoice.amount_due > 0 && outcome !== 'pay') {
    failPayment(state, invoice, outcome)
    return false
  }
  markPaid(state, invoice)
  return true
}

function markPaid(state: StripeState, invoice: StoredInvoice): void {
  const at = state.clock.seconds()
  const { id, amount_due: cents, customer } = invoice
  invoice.status = 'paid'
  invoice.status_transitions.paid_at = at
  invoice.amount_paid = cents
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.auto_advance = false
  for (const { payment, intent } of paymentsOf(state, invoice)) {
    payment.status = 'paid'
    payment.amount_paid = cents
    payment.status_transitions.paid_at = at
    intent.status = 'succeeded'
    intent.amount_received = cents
    intent.last_payment_error = null
    intent.next_action = null
  }
  if (cents > 0) {
    const subscription = subscriptionIdOf(invoice)
    state.charges.push({ cents, customer, subscription, invoice: id, at: state.clock.now() })
  }
  emit(state, 'invoice.paid', invoice)
  emit(state, 'invoice.payment_succeeded', invoice)
}

function failPayment(state: StripeState, invoice: StoredInvoice, outcome: Exclude<ChargeOutcome, 'pay'>): void {
  const days = retryDays[invoice.attempt_count - 1]
  const isRetried = invoice.auto_advance === true && days !== undefined
  invoice.next_payment_attempt = isRetried ? state.clock.seconds() + days * daySeconds : null
  for (const { intent } of paymentsOf(state, invoice)) {
    if (outcome === 'action') {
      intent.status = 'requires_action'
      intent.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { url: `${state.origin}/i/${invoice.id}`, return_url: null },
      }
    } else {
      intent.status = 'requires_payment_method'
      intent.last_payment_error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: declinedMessage,
      }
    }
  }
  emit(state, 'invoice.payment_failed', invoice)
  if (outcome === 'action') emit(state, 'invoice.payment_action_required', invoice)
}
