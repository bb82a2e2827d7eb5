import type { Stripe } from 'stripe'
import { listOf } from '../http/lists.ts'
import { type CheckoutLine, createId, type StoredPrice, type StoredSubscription } from '../state/state.ts'

interface SubscriptionFields {
  readonly customer: string
  readonly lines: readonly CheckoutLine[]
  readonly metadata: Stripe.Metadata
  readonly created: number
  readonly periodEnd: number
  readonly automaticTax: boolean
}

/** A subscription whose first invoice is not paid yet. */
export function newSubscription(fields: SubscriptionFields): StoredSubscription {
  const { customer, lines, metadata, created, periodEnd, automaticTax } = fields
  const id = createId('sub')
  const items = lines.map(({ price, quantity }) => newItem({ subscription: id, price, quantity, created, periodEnd }))
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: automaticTax, liability: automaticTax ? { type: 'self' } : null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: lines[0]?.price.currency ?? 'usd',
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  } satisfies Stripe.Subscription
}

interface ItemFields {
  readonly subscription: string
  readonly price: StoredPrice
  readonly quantity: number
  readonly created: number
  readonly periodEnd: number
}

const newItem = ({ subscription, price, quantity, created, periodEnd }: ItemFields) =>
  ({
    id: createId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: periodEnd,
    current_period_start: created,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }) satisfies Stripe.SubscriptionItem

/** The older form of a price, which subscription items still contain. */
const planOf = (price: StoredPrice) =>
  ({
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: null,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }) satisfies Stripe.Plan
