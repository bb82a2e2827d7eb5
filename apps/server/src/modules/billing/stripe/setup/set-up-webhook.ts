import { billing } from '@sallyport/contract/billing'
import type { Stripe } from 'stripe'
import { isLoopbackHostname } from '../../../../platform/http/local-requests.ts'
import { stripeApiVersion } from '../stripe-client.ts'
import { findOwn, metadataKeys, pageSize } from '../stripe-objects.ts'
import type { StripeSetup } from './setup-options.ts'

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent

/** The events that can change what is stored here. */
const enabledEvents: readonly EnabledEvent[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
]

/** Creates the webhook endpoint, or updates the one of this instance. Yields what it did and found. */
export async function* setUpWebhook(setup: StripeSetup): AsyncGenerator<string> {
  const { stripe, instanceId, publicUrl, isDryRun } = setup
  if (isLoopbackHostname(publicUrl.hostname)) {
    yield `Webhook endpoint: skipped, because Stripe cannot reach ${publicUrl.origin}. Without it, plans change as well, but later`
    return
  }
  const url = new URL(billing.webhook.path, publicUrl).href
  const found = await findOwn(stripe.webhookEndpoints.list({ limit: pageSize }), instanceId)
  if (found) return yield* updateEndpoint(setup, found, url)
  if (isDryRun) {
    yield `Webhook endpoint: would create one at ${url}`
    return
  }
  const { id, secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: [...enabledEvents],
    api_version: stripeApiVersion,
    metadata: { [metadataKeys.instance]: instanceId },
  })
  yield `Webhook endpoint: created ${id} at ${url}`
  yield `Set STRIPE_WEBHOOK_SECRET=${secret} and restart the server. This secret is not printed again; the Stripe Dashboard shows it`
}

async function* updateEndpoint(
  { stripe, hasWebhookSecret, isDryRun }: StripeSetup,
  { id, url: oldUrl, enabled_events, status, api_version }: Stripe.WebhookEndpoint,
  url: string,
): AsyncGenerator<string> {
  const changes = [
    ...(oldUrl === url ? [] : ['URL']),
    ...(isSameSet(enabled_events, enabledEvents) ? [] : ['events']),
    ...(status === 'enabled' ? [] : ['status']),
  ]
  if (changes.length === 0) yield `Webhook endpoint: ${id} is at ${url}`
  else if (isDryRun) yield `Webhook endpoint: would update ${changes.join(', ')} of ${id} at ${url}`
  else {
    await stripe.webhookEndpoints.update(id, { url, enabled_events: [...enabledEvents], disabled: false })
    yield `Webhook endpoint: updated ${changes.join(', ')} of ${id} at ${url}`
  }
  if (!hasWebhookSecret)
    yield `Set STRIPE_WEBHOOK_SECRET to the signing secret of ${id}, which the Stripe Dashboard shows, and restart the server`
  if (api_version !== stripeApiVersion)
    yield `Webhook endpoint: ${id} has the API version ${api_version ?? 'of the account'}, expected ${stripeApiVersion}. Stripe cannot change it: delete the endpoint in the Stripe Dashboard and run this command again`
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((entry) => others.includes(entry))
