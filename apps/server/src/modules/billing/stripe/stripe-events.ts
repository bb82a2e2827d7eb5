import type { Stripe } from 'stripe'
import * as z from 'zod'
import { apiError } from '../../../errors.ts'
import { type BillingEvent, type EventSubject, WebhookRefusedError } from '../billing-provider.ts'
import { metadataKeys } from './stripe-objects.ts'

interface StripeEventsDeps {
  readonly signature: Stripe.Signature
  readonly webhookSecrets: readonly string[]
  /** Whether the key is for real payments. */
  readonly isLive: boolean
  readonly now: () => number
}

const toleranceSeconds = 300

const SentEvent = z.object({
  object: z.literal('event'),
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

const Metadata = z.record(z.string(), z.string()).nullish()
const Checkout = z.object({ id: z.string() })
const Subscription = z.object({ id: z.string(), metadata: Metadata })
const Invoice = z.object({
  parent: z.object({
    subscription_details: z.object({
      subscription: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
      metadata: Metadata,
    }),
  }),
})

/** Returns a function that verifies and parses events. */
export function createEventParser({ signature, webhookSecrets, isLive, now }: StripeEventsDeps) {
  function isSigned(body: Uint8Array, header: string): boolean {
    return webhookSecrets.some((secret) => {
      try {
        // A tolerance of 0 skips the time, which is checked here in both directions.
        return signature.verifyHeader(body, header, secret, 0)
      } catch {
        return false
      }
    })
  }

  return (body: Uint8Array, header: string | undefined): BillingEvent => {
    if (header === undefined || header === '') throw new WebhookRefusedError('no-header')
    const sentAt = timeOf(header)
    if (sentAt === null || !isSigned(body, header)) throw new WebhookRefusedError('no-match')
    const age = Math.floor(now() / 1000) - sentAt
    if (age > toleranceSeconds) throw new WebhookRefusedError('old')
    if (age < -toleranceSeconds) throw new WebhookRefusedError('future')
    const { id, type, livemode, data } = parseBody(body)
    if (livemode !== isLive) throw new WebhookRefusedError('mode')
    return { id, type, subject: subjectOf(type, data.object) }
  }
}

/** The time in a signature header, in seconds; null unless it has exactly one. */
function timeOf(header: string): number | null {
  const [time, ...others] = header.split(',').filter((part) => part.startsWith('t='))
  return time !== undefined && others.length === 0 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) : null
}

function parseBody(body: Uint8Array): z.output<typeof SentEvent> {
  try {
    return SentEvent.parse(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    throw apiError('BAD_REQUEST')
  }
}

function subjectOf(type: string, object: unknown): EventSubject | null {
  if (type.startsWith('checkout.session.')) {
    const { data } = Checkout.safeParse(object)
    return data ? { kind: 'checkout', providerId: data.id } : null
  }
  if (type.startsWith('customer.subscription.')) {
    const { data } = Subscription.safeParse(object)
    return data ? subscriptionSubject(data.id, data.metadata) : null
  }
  if (type.startsWith('invoice.')) {
    const details = Invoice.safeParse(object).data?.parent.subscription_details
    return details ? subscriptionSubject(details.subscription, details.metadata) : null
  }
  return null
}

const subscriptionSubject = (providerId: string, metadata: z.output<typeof Metadata>): EventSubject => ({
  kind: 'subscription',
  providerId,
  checkoutId: metadata?.[metadataKeys.checkout] ?? null,
})
