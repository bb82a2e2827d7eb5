import type { Stripe } from 'stripe'
import { createId, type StoredInvoice } from '../state/state.ts'

/** The payment intent of an invoice. */
export function newPaymentIntent({ amount_due, currency, customer }: StoredInvoice, created: number) {
  const id = createId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_test`,
    confirmation_method: 'automatic',
    created,
    currency,
    customer,
    customer_account: null,
    description: 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card', 'link'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  } satisfies Stripe.PaymentIntent as Stripe.PaymentIntent
}

/** The payment of an invoice by a payment intent. */
export const newInvoicePayment = (
  { id, amount_due, currency }: StoredInvoice,
  paymentIntent: string,
  created: number,
) =>
  ({
    id: createId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: amount_due,
    created,
    currency,
    invoice: id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }) satisfies Stripe.InvoicePayment as Stripe.InvoicePayment
