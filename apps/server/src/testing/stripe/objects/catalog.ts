import type { Stripe } from 'stripe'
import { createId, type StoredPrice } from '../state/state.ts'

interface CustomerFields {
  readonly email: string | null
  readonly name?: string | null
  readonly description?: string | null
  readonly metadata?: Stripe.Metadata
  readonly created: number
}

export const newCustomer = ({ email, name = null, description = null, metadata = {}, created }: CustomerFields) =>
  ({
    id: createId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_prefix: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }) satisfies Stripe.Customer as Stripe.Customer

interface ProductFields {
  readonly name: string
  readonly description: string | null
  readonly metadata: Stripe.Metadata
  readonly active: boolean
  readonly created: number
}

export const newProduct = ({ name, description, metadata, active, created }: ProductFields) =>
  ({
    id: createId('prod'),
    object: 'product',
    active,
    created,
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }) satisfies Stripe.Product as Stripe.Product

interface PriceFields {
  readonly product: string
  readonly currency: string
  readonly unitAmount: number
  readonly interval: Stripe.Price.Recurring.Interval
  readonly intervalCount: number
  readonly lookupKey: string | null
  readonly nickname: string | null
  readonly metadata: Stripe.Metadata
  readonly active: boolean
  readonly created: number
}

/** Decimal amounts are null: nothing here is priced in parts of a cent. */
export const newPrice = (fields: PriceFields) =>
  ({
    id: createId('price'),
    object: 'price',
    active: fields.active,
    billing_scheme: 'per_unit',
    created: fields.created,
    currency: fields.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: fields.lookupKey,
    metadata: fields.metadata,
    nickname: fields.nickname,
    product: fields.product,
    recurring: {
      interval: fields.interval,
      interval_count: fields.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: fields.unitAmount,
    unit_amount_decimal: null,
  }) satisfies StoredPrice as StoredPrice
