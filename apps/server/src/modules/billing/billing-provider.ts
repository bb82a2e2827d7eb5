import type { SubscriptionSnapshot } from './subscription.rules.ts'

interface CheckoutOrder {
  readonly priceCents: number
  readonly customerEmail: string
  /** Where the browser goes after the payment, and without one. */
  readonly successUrl: string
  readonly cancelUrl: string
}

interface CreatedCheckout {
  readonly providerId: string
  /** The page to pay on. */
  readonly url: string
  readonly expiresAt: number
}

interface CheckoutSnapshot {
  readonly state: 'open' | 'paid' | 'expired'
  /** The id of the provider; null until it is paid. */
  readonly subscriptionId: string | null
}

/** A payment provider. Its answers are the only source of stored subscriptions. */
export interface BillingProvider {
  createCheckout(order: CheckoutOrder): Promise<CreatedCheckout>
  getCheckout(providerId: string): Promise<CheckoutSnapshot>
  /** Makes an open checkout unpayable. */
  expireCheckout(providerId: string): Promise<void>
  getSubscription(providerId: string): Promise<SubscriptionSnapshot>
  /** Cancels the subscription at the end of its period; a second time it changes nothing. */
  setCancelAtPeriodEnd(providerId: string): Promise<void>
  /** Adds free days to the current period: the next payment, or the end of a cancelled subscription, is that much later. */
  extend(providerId: string, days: number): Promise<void>
  /** Deletes what the provider stores here of checkouts that expired before this time. */
  removeOldCheckouts(expiredBefore: number): Promise<void>
}
