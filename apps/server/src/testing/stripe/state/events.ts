import { createHmac } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { RecordedEvent } from './recorded-event.ts'
import { createId, type StoredSubscription, type StripeState } from './state.ts'

export const apiVersion = '2026-10-28.endive'

/** Records an event with a snapshot of its object. */
export function emit(
  state: StripeState,
  type: Stripe.Event.Type,
  object: Stripe.Event.Data.Object,
  previous?: Stripe.Event.Data.PreviousAttributes,
): void {
  const event = {
    id: createId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: state.clock.seconds(),
    data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
    livemode: false,
    pending_webhooks: 1,
    request: state.request ?? { id: null, idempotency_key: null },
    type,
  } satisfies Stripe.EventBase
  const body = JSON.stringify(event, null, 2)
  const recorded: RecordedEvent = {
    id: event.id,
    type,
    event,
    body,
    signature: (secrets, at = state.clock.now()) => signatureOf(body, secrets, at),
    isDelivered: false,
  }
  state.events.push(recorded)
  for (const notify of state.eventListeners) notify(recorded)
}

/** Changes a subscription and, if it differs then, emits `customer.subscription.updated` with the previous values. */
export function updateSubscription(state: StripeState, subscription: StoredSubscription, change: () => void): void {
  const before = structuredClone(subscription)
  change()
  const previous = Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(subscription[key as keyof StoredSubscription]),
    ),
  )
  if (Object.keys(previous).length > 0) emit(state, 'customer.subscription.updated', subscription, previous)
}

function signatureOf(body: string, secrets: string | readonly string[], at: number): string {
  const time = Math.floor(at / 1000)
  const signatures = [secrets]
    .flat()
    .map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`)
  return [`t=${time}`, ...signatures].join(',')
}
