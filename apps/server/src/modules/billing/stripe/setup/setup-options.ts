import type { Stripe } from 'stripe'

/** What every part of the setup needs. */
export interface StripeSetup {
  readonly stripe: Stripe
  readonly instanceId: string
  readonly publicUrl: URL
  /** Whether STRIPE_WEBHOOK_SECRET is set. */
  readonly hasWebhookSecret: boolean
  /** Whether changes are only listed. */
  readonly isDryRun: boolean
}
