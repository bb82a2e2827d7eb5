interface BillingCheckoutRow {
  id: string
  user_id: string
  /** `personal` or `business`. */
  plan: string
  quantity: number
  /** The organization that the payment creates, or whose owner buys again; null for the personal plan. */
  organization_id: string | null
  organization_name: string | null
  /** The id of the provider. */
  provider_id: string
  url: string
  /** `open`, `paid` or `expired`. */
  state: string
  success_path: string
  cancel_path: string
  created_at: number
  expires_at: number
}

/** What the provider last said about a subscription. */
interface BillingSubscriptionRow {
  /** The id of the provider. */
  provider_id: string
  /** Who pays: for an organization its owner. */
  user_id: string
  /** `personal` or `business`. */
  plan: string
  /** The seats; 1 for the personal plan. */
  quantity: number
  /** Null for the personal plan. */
  organization_id: string | null
  status: string
  /** Of one seat. */
  price_cents: number
  period_start: number
  period_end: number
  cancel_at_period_end: number
  ended_at: number | null
  /** When the provider was asked. */
  applied_at: number
  /** As the provider calls who pays; null where it has no customers. */
  customer_id: string | null
}

/** An event of the provider that has been received. */
interface BillingEventRow {
  /** The id of the provider. */
  id: string
  type: string
  received_at: number
}

/** What is to be read from the provider again. */
interface StalePaymentRow {
  /** The id of the provider. */
  provider_id: string
  /** `checkout` or `subscription`. */
  kind: string
  /** How often it was marked since; a reading removes the row unless it was marked during it. */
  marks: number
  /** How often reading has failed. */
  attempts: number
  /** When it is read next. */
  due_at: number
}

/** More seats that were asked for once. Its id makes the provider charge for it at most once. */
interface SeatOrderRow {
  id: string
  subscription_id: string
  /** Chosen by the client; unique for the subscription. */
  request_key: string
  from_quantity: number
  to_quantity: number
  charged_cents: number
  /** The rest of the month counts from here. */
  prorated_at: number
  /** `pending`, `done`, `declined`, or `unconfirmed` if the bank asks the buyer. */
  state: string
  created_at: number
}

/** A checkout of the test provider. */
interface TestCheckoutRow {
  id: string
  /** Of one seat. */
  price_cents: number
  quantity: number
  customer_email: string
  success_url: string
  cancel_url: string
  expires_at: number
  /** Null until it is paid. */
  subscription_id: string | null
}

/** A subscription of the test provider. It renews each month until it ends. */
interface TestSubscriptionRow {
  id: string
  /** Of one seat. */
  price_cents: number
  quantity: number
  /** 1 if it declines every further charge. */
  declines_charges: number
  started_at: number
  /** The end of the period in which it was cancelled. */
  ends_at: number | null
}

/** What the test provider charged, or tried to charge, for more seats. */
interface TestChargeRow {
  order_id: string
  subscription_id: string
  cents: number
  is_paid: number
  created_at: number
}

export interface BillingTables {
  billing_checkouts: BillingCheckoutRow
  billing_subscriptions: BillingSubscriptionRow
  billing_events: BillingEventRow
  stale_payments: StalePaymentRow
  test_checkouts: TestCheckoutRow
  test_subscriptions: TestSubscriptionRow
  seat_orders: SeatOrderRow
  test_charges: TestChargeRow
}
