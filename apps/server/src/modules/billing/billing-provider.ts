import type { SubscriptionSnapshot } from './subscription.rules.ts'

interface CheckoutOrder {
  /** Per month for one of the quantity. */
  readonly priceCents: number
  readonly quantity: number
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

interface SeatsPreview {
  /** What is charged at once for the rest of the period. */
  readonly nowCents: number
  /** The time from which the rest of the period counts. */
  readonly proratedAt: number
}

interface SeatsOrder {
  /** How many there are afterwards. */
  readonly quantity: number
  /** The same order is charged once and always gets the same answer. */
  readonly orderId: string
  readonly proratedAt: number
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
  /** Ends the subscription now; a second time it changes nothing. */
  cancelImmediately(providerId: string): Promise<void>
  previewSeats(providerId: string, quantity: number): Promise<SeatsPreview>
  /** Charges the rest of the period for more seats. They are there if it is paid; if it is declined, nothing changes. */
  setSeats(providerId: string, order: SeatsOrder): Promise<'done' | 'declined'>
  /** Adds free days to the current period: the next payment, or the end of a cancelled subscription, is that much later. */
  extend(providerId: string, days: number): Promise<void>
  /** Deletes what the provider stores here of checkouts that expired before this time. */
  removeOldCheckouts(expiredBefore: number): Promise<void>
}
