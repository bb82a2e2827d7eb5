import type { Stripe } from 'stripe'

/** An event as it was when it was created. */
export interface RecordedEvent {
  readonly id: string
  readonly type: Stripe.Event.Type
  readonly event: Stripe.EventBase
  /** What is sent, byte for byte. */
  readonly body: string
  /** Returns the header `Stripe-Signature`, with one signature for each secret. */
  readonly signature: (secrets: string | readonly string[], at?: number) => string
  /** Whether a webhook endpoint has answered with 2xx. */
  isDelivered: boolean
}
