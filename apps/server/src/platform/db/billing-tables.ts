interface BillingCheckoutRow {
  id: string
  user_id: string
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
  user_id: string
  status: string
  price_cents: number
  period_start: number
  period_end: number
  cancel_at_period_end: number
  ended_at: number | null
  /** When the provider was asked. */
  applied_at: number
}

/** A checkout of the test provider. */
interface TestCheckoutRow {
  id: string
  price_cents: number
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
  price_cents: number
  started_at: number
  /** The end of the period in which it was cancelled. */
  ends_at: number | null
}

export interface BillingTables {
  billing_checkouts: BillingCheckoutRow
  billing_subscriptions: BillingSubscriptionRow
  test_checkouts: TestCheckoutRow
  test_subscriptions: TestSubscriptionRow
}
