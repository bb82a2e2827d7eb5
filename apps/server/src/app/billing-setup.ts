import type { Config } from '../config.ts'
import { UsageError } from '../modules/admin/options.ts'
import { instanceIdOf } from '../modules/billing/stripe/instance-id.ts'
import { setUpStripe } from '../modules/billing/stripe/setup/set-up-stripe.ts'
import { openSecret } from '../secrets.ts'
import { readVersion } from './read-version.ts'

interface BillingSetupInput {
  readonly config: Config
  readonly secretsFolder: string
  readonly publicUrl: URL
}

/** Returns a function that sets up what plans need at the payment provider, and yields what it did and found. */
export const createBillingSetup =
  ({ config, secretsFolder, publicUrl }: BillingSetupInput) =>
  (isDryRun: boolean): AsyncGenerator<string> => {
    const { BILLING, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL } = config
    if (BILLING !== 'stripe' || STRIPE_SECRET_KEY === undefined)
      throw new UsageError('billing setup needs BILLING=stripe and STRIPE_SECRET_KEY, as for the server')
    return setUpStripe({
      secretKey: STRIPE_SECRET_KEY,
      url: STRIPE_URL,
      version: readVersion(),
      instanceId: instanceIdOf(openSecret(secretsFolder, 'salt')),
      publicUrl,
      hasWebhookSecret: STRIPE_WEBHOOK_SECRET.length > 0,
      isDryRun,
    })
  }
