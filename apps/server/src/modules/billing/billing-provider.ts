import type { PaidPlan } from '@sallyport/contract/billing'
import type { SubscriptionSnapshot } from './subscription.rules.ts'

interface CheckoutOrder {
  /** The id of our checkout: the same order gets the same page. */
  readonly id: string
  readonly plan: PaidPlan
  /** Per month for one of the quantity. */
  readonly priceCents: number
  readonly quantity: number
  readonly customerEmail: string
  /** The customer of a former subscription of this account; null for none. */
  readonly customerId: string | null
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

/** What came of an order of seats: they are there, nothing has changed, or the bank asks the buyer on this page. */
export type SeatsOutcome = 'done' | 'declined' | { readonly payUrl: string }

/**
 * A payment provider. Its answers are the only source of stored subscriptions. Every function throws PAYMENTS_AWAY if
 * nothing is known about the outcome, and PAYMENTS_REFUSED if nothing was done because of our request or the settings.
 */
export interface BillingProvider {
  createCheckout(order: CheckoutOrder): Promise<CreatedCheckout>
  getCheckout(providerId: string): Promise<CheckoutSnapshot>
  /** Makes an open checkout unpayable; one that is paid or has expired stays as it is. */
  expireCheckout(providerId: string): Promise<void>
  /** Null if the provider does not know it, such as one of another account or of the test page. */
  getSubscription(providerId: string): Promise<SubscriptionSnapshot | null>
  /** Cancels the subscription at the end of its period; a second time, and for one it does not know, it changes nothing. */
  setCancelAtPeriodEnd(providerId: string): Promise<void>
  /**
   * Ends the subscription now, and what is unpaid of it; a second time, and for one it does not know, it changes nothing.
   */
  cancelImmediately(providerId: string): Promise<void>
  previewSeats(providerId: string, quantity: number): Promise<SeatsPreview>
  /** Charges the rest of the period for more seats. They are there if it is paid; otherwise nothing changes. */
  setSeats(providerId: string, order: SeatsOrder): Promise<SeatsOutcome>
  /** Adds free days to the current period: the next payment, or the end of a cancelled subscription, is that much later. */
  extend(providerId: string, days: number): Promise<void>
  /** The URL of a page with the payment method and the invoices of a customer; null where there is none. */
  createPortalUrl(customerId: string, returnUrl: string): Promise<string | null>
  /** Deletes what the provider stores here of checkouts that expired before this time. */
  removeOldCheckouts(expiredBefore: number): Promise<void>
}

/** What an event is about: a subscription, with our checkout that it was bought by, or a checkout; null for neither. */
export type EventSubject =
  | { readonly kind: 'checkout'; readonly providerId: string }
  | { readonly kind: 'subscription'; readonly providerId: string; readonly checkoutId: string | null }

/** A verified event. It says only what may have changed: everything else is read from the provider. */
export interface BillingEvent {
  readonly id: string
  readonly type: string
  readonly subject: EventSubject | null
}

/** A subscription of this instance as a list shows it. */
export interface ListedSubscription {
  readonly providerId: string
  readonly checkoutId: string | null
  readonly snapshot: SubscriptionSnapshot
}

/** Why an event is refused. `mode` is a test event at a live key, or the other way round. */
export type WebhookErrorReason = 'no-header' | 'no-match' | 'old' | 'future' | 'mode'

/** Thrown for an event whose sender or time cannot be verified. */
export class WebhookRefusedError extends Error {
  readonly reason: WebhookErrorReason

  constructor(reason: WebhookErrorReason) {
    super(`A webhook event was refused: ${reason}`)
    this.name = 'WebhookRefusedError'
    this.reason = reason
  }
}

/** A provider that reports changes. Without its reports everything happens as well, only later. */
export interface ReportingProvider extends BillingProvider {
  /** Throws WebhookRefusedError, or BAD_REQUEST for a signed text that is no event. */
  parseEvent(body: Uint8Array, signature: string | undefined): BillingEvent
  /** All subscriptions of this instance that have not ended. */
  listSubscriptions(): AsyncIterable<ListedSubscription>
}
