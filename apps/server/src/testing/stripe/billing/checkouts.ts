import { invalidRequest } from '../http/stripe-error.ts'
import { newCustomer } from '../objects/catalog.ts'
import { newSubscription } from '../objects/subscription.ts'
import { emit, updateSubscription } from '../state/events.ts'
import type { StoredCheckout, StripeState } from '../state/state.ts'
import { requireEntry } from '../state/state.ts'
import { chargeInvoice } from './charges.ts'
import { createInvoice } from './invoices.ts'
import { periodEndAfter } from './periods.ts'
import { firstItem, periodLines } from './proration.ts'

/** Completes an open checkout with a card that works: creates the customer, the subscription and its paid invoice. */
export function completeCheckout(state: StripeState, checkout: StoredCheckout): void {
  const { session, lines, subscriptionMetadata: metadata } = checkout
  requireOpen(checkout)
  const created = state.clock.seconds()
  const customer = requireEntry(state.customers, session.customer ?? createCustomer(state, checkout))
  const [line] = lines
  if (line === undefined) throw new Error(`The checkout ${session.id} has no line items`)
  const periodEnd = periodEndAfter(created, created, line.price.recurring)
  const automaticTax = session.automatic_tax.enabled
  const subscription = newSubscription({ customer: customer.id, lines, metadata, created, periodEnd, automaticTax })
  state.subscriptions.set(subscription.id, subscription)
  emit(state, 'customer.subscription.created', subscription)
  updateSubscription(state, subscription, () => {
    const { current_period_start: start, current_period_end: end } = firstItem(subscription)
    const invoice = createInvoice(state, subscription, {
      lines: periodLines(subscription, { start, end }),
      reason: 'subscription_create',
      isRetried: false,
    })
    chargeInvoice(state, invoice, 'pay')
    subscription.status = 'active'
    session.invoice = invoice.id
  })
  session.status = 'complete'
  session.payment_status = session.amount_total === 0 ? 'no_payment_required' : 'paid'
  session.customer = customer.id
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  session.subscription = subscription.id
  session.url = null
  emit(state, 'checkout.session.completed', session)
}

function createCustomer(state: StripeState, { session }: StoredCheckout): string {
  const email = session.customer_email ?? 'buyer@example.com'
  const customer = newCustomer({ email, created: state.clock.seconds() })
  state.customers.set(customer.id, customer)
  emit(state, 'customer.created', customer)
  return customer.id
}

/** Expires an open checkout. Throws 400 for another. */
export function expireCheckout(state: StripeState, checkout: StoredCheckout): void {
  requireOpen(checkout)
  checkout.session.status = 'expired'
  checkout.session.url = null
  emit(state, 'checkout.session.expired', checkout.session)
}

function requireOpen({ session: { status } }: StoredCheckout): void {
  if (status === 'open') return
  throw invalidRequest(
    `Only Checkout Sessions with a status in ["open"] can be expired or paid. This Checkout Session has a status of ${status}.`,
  )
}
