import type { Stripe } from 'stripe'
import { listOf } from '../http/lists.ts'
import { type CheckoutLine, createId, type StoredCheckout } from '../state/state.ts'

interface CheckoutFields {
  readonly origin: string
  readonly created: number
  readonly expiresAt: number
  readonly customer: string | null
  readonly customerEmail: string | null
  readonly clientReferenceId: string | null
  readonly lines: readonly CheckoutLine[]
  readonly successUrl: string
  readonly cancelUrl: string | null
  readonly metadata: Stripe.Metadata
  readonly allowedPaymentMethods: string[] | null
  readonly automaticTax: boolean
  readonly taxIds: boolean
  readonly promotionCodes: boolean
  readonly billingAddress: Stripe.Checkout.Session.BillingAddressCollection
  readonly locale: Stripe.Checkout.Session.Locale | null
}

/** An open checkout session. */
export function newCheckoutSession(fields: CheckoutFields): StoredCheckout['session'] {
  const id = createId('cs_test')
  const total = fields.lines.reduce((sum, line) => sum + amountOf(line), 0)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: fields.promotionCodes,
    allowed_payment_method_types: fields.allowedPaymentMethods,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: fields.automaticTax, liability: null, provider: null, status: null },
    billing_address_collection: fields.billingAddress,
    cancel_url: fields.cancelUrl,
    client_reference_id: fields.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: fields.created,
    currency: fields.lines[0]?.price.currency ?? 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: fields.customer,
    customer_account: null,
    customer_creation: fields.customer === null ? 'always' : null,
    customer_details: null,
    customer_email: fields.customerEmail,
    discounts: [],
    expires_at: fields.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: fields.locale,
    managed_payments: null,
    metadata: fields.metadata,
    mode: 'subscription',
    optional_items: null,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: fields.allowedPaymentMethods ?? ['card', 'link'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: fields.successUrl,
    tax_id_collection: { enabled: fields.taxIds, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${fields.origin}/c/pay/${id}`,
    wallet_options: null,
  } satisfies Stripe.Checkout.Session
}

/** The line items of a checkout session, with the name of the product as description. */
export const lineItemsOf = (session: string, lines: readonly CheckoutLine[], nameOf: (line: CheckoutLine) => string) =>
  listOf(
    lines.map(
      (line) =>
        ({
          id: createId('li'),
          object: 'item',
          adjustable_quantity: null,
          amount_discount: 0,
          amount_subtotal: amountOf(line),
          amount_tax: 0,
          amount_total: amountOf(line),
          currency: line.price.currency,
          description: nameOf(line),
          metadata: {},
          price: line.price,
          quantity: line.quantity,
        }) satisfies Stripe.LineItem,
    ),
    `/v1/checkout/sessions/${session}/line_items`,
  )

const amountOf = ({ price, quantity }: CheckoutLine): number => price.unit_amount * quantity
