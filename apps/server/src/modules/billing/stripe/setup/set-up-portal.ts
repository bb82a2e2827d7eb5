import type { Stripe } from 'stripe'
import { metadataKeys } from '../stripe-objects.ts'
import { findPortalConfiguration } from '../stripe-portal.ts'
import type { StripeSetup } from './setup-options.ts'

/** The email address belongs to the account here, and plans and seats are changed here only. */
const features = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  customer_update: { enabled: false },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} as const

type FeatureName = keyof typeof features

/** Creates the portal configuration, or updates the one of this instance. Yields what it did and found. */
export async function* setUpPortal({ stripe, instanceId, isDryRun }: StripeSetup): AsyncGenerator<string> {
  const found = await findPortalConfiguration(stripe, instanceId)
  if (found === null) {
    if (isDryRun) yield 'Customer portal: would create a configuration'
    else {
      const { id } = await stripe.billingPortal.configurations.create({
        name: 'Sallyport',
        features,
        metadata: { [metadataKeys.instance]: instanceId },
      })
      yield `Customer portal: created ${id}`
    }
    return
  }
  const changes = changedFeatures(found)
  if (changes.length === 0) yield `Customer portal: ${found.id} exists`
  else if (isDryRun) yield `Customer portal: would update ${changes.join(', ')} of ${found.id}`
  else {
    await stripe.billingPortal.configurations.update(found.id, { features })
    yield `Customer portal: updated ${changes.join(', ')} of ${found.id}`
  }
}

const changedFeatures = (configuration: Stripe.BillingPortal.Configuration): FeatureName[] =>
  (Object.keys(features) as FeatureName[]).filter(
    (name) => configuration.features[name].enabled !== features[name].enabled,
  )
