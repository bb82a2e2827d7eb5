import { licenceLimits } from '@sallyport/contract/limits'
import { createStripeClient, type StripeClientOptions } from '../stripe-client.ts'
import { toOperatorError } from '../stripe-errors.ts'
import { setUpPortal } from './set-up-portal.ts'
import { type SoldPlan, setUpPrice } from './set-up-prices.ts'
import { setUpWebhook } from './set-up-webhook.ts'
import type { StripeSetup } from './setup-options.ts'

type StripeSetupOptions = StripeClientOptions & Omit<StripeSetup, 'stripe'>

const soldPlans: readonly SoldPlan[] = [
  { plan: 'personal', name: 'Sallyport Personal', cents: licenceLimits.paid.personalCents },
  { plan: 'business', name: 'Sallyport Business', cents: licenceLimits.paid.seatCents },
]

/** Creates and updates what plans need at Stripe; a second time it changes nothing. Yields what it did and found. */
export async function* setUpStripe(
  { instanceId, publicUrl, hasWebhookSecret, isDryRun, ...client }: StripeSetupOptions,
  plans = soldPlans,
): AsyncGenerator<string> {
  const setup = { stripe: await createStripeClient(client), instanceId, publicUrl, hasWebhookSecret, isDryRun }
  try {
    for (const plan of plans) yield* setUpPrice(setup, plan)
    yield* setUpPortal(setup)
    yield* setUpWebhook(setup)
  } catch (error) {
    throw toOperatorError(error)
  }
}
