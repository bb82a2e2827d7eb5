import type { Stripe } from 'stripe'
import { invalidRequest } from '../http/stripe-error.ts'
import { newInvoice } from '../objects/invoice.ts'
import { newInvoicePayment, newPaymentIntent } from '../objects/payment.ts'
import { emit } from '../state/events.ts'
import {
  type InvoiceLine,
  requireEntry,
  type StoredInvoice,
  type StoredSubscription,
  type StripeState,
} from '../state/state.ts'
import { firstItem } from './proration.ts'

interface InvoiceOptions {
  readonly lines: readonly InvoiceLine[]
  readonly reason: Stripe.Invoice.BillingReason
  readonly prorationDate?: number | undefined
  /** Whether a failed charge is retried. */
  readonly isRetried: boolean
}

/** Creates and finalizes an invoice, which becomes the latest one of the subscription. */
export function createInvoice(
  state: StripeState,
  subscription: StoredSubscription,
  { isRetried, ...options }: InvoiceOptions,
): StoredInvoice {
  const invoice = draftInvoice(state, subscription, options)
  invoice.auto_advance = isRetried
  state.invoices.set(invoice.id, invoice)
  subscription.latest_invoice = invoice.id
  emit(state, 'invoice.created', invoice)
  finalize(state, invoice)
  return invoice
}

/** Creates an invoice that is not stored. */
export function draftInvoice(
  state: StripeState,
  subscription: StoredSubscription,
  options: Omit<InvoiceOptions, 'isRetried'>,
): StoredInvoice {
  const { current_period_start, current_period_end } = firstItem(subscription)
  return newInvoice({
    ...options,
    subscription,
    customer: requireEntry(state.customers, subscription.customer),
    created: state.clock.seconds(),
    period: { start: current_period_start, end: current_period_end },
  })
}

function finalize(state: StripeState, invoice: StoredInvoice): void {
  const { id, total, amount_due } = invoice
  const at = state.clock.seconds()
  const customer = requireEntry(state.customers, invoice.customer)
  customer.balance += total - amount_due
  invoice.ending_balance = customer.balance
  invoice.status = 'open'
  invoice.status_transitions.finalized_at = at
  invoice.effective_at = at
  invoice.number = `TEST-${String(state.invoices.size).padStart(4, '0')}`
  invoice.hosted_invoice_url = `${state.origin}/i/${id}`
  invoice.invoice_pdf = `${state.origin}/i/${id}/pdf`
  if (amount_due > 0) {
    const intent = newPaymentIntent(invoice, at)
    const payment = newInvoicePayment(invoice, intent.id, at)
    state.paymentIntents.set(intent.id, intent)
    state.invoicePayments.set(payment.id, payment)
  }
  emit(state, 'invoice.finalized', invoice)
}

/** The subscription that an invoice belongs to. */
export function subscriptionIdOf({ id, parent }: StoredInvoice): string {
  const subscription = parent?.subscription_details?.subscription
  if (typeof subscription !== 'string') throw new Error(`The invoice ${id} has no subscription`)
  return subscription
}

/** Voids an open invoice, which can then no longer be paid. Throws 400 for another. */
export function voidInvoice(state: StripeState, invoice: StoredInvoice): void {
  if (invoice.status !== 'open')
    throw invalidRequest(`You can only pass in open invoices. This invoice isn't open.`, undefined, 'invoice_not_open')
  const at = state.clock.seconds()
  invoice.status = 'void'
  invoice.status_transitions.voided_at = at
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  requireEntry(state.customers, invoice.customer).balance -= invoice.total - invoice.amount_due
  for (const { payment, intent } of paymentsOf(state, invoice)) {
    payment.status = 'canceled'
    payment.status_transitions.canceled_at = at
    intent.status = 'canceled'
    intent.canceled_at = at
    intent.cancellation_reason = 'void_invoice'
    intent.next_action = null
  }
  emit(state, 'invoice.voided', invoice)
}

/** The payments of an invoice with their payment intents. */
export const paymentsOf = (state: StripeState, { id }: StoredInvoice) =>
  [...state.invoicePayments.values()]
    .filter(({ invoice }) => invoice === id)
    .map((payment) => ({ payment, intent: requireEntry(state.paymentIntents, String(payment.payment.payment_intent)) }))
