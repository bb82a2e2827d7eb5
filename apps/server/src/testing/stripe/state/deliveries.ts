import type { RecordedEvent } from './recorded-event.ts'
import type { StripeState } from './state.ts'

export interface SendOptions {
  readonly url: string
  /** Each signs the event, as while a secret is being replaced. */
  readonly secrets: readonly string[]
  /** Time of the signature in milliseconds; now by default. */
  readonly at?: number
}

/** An attempt to send an event to a webhook endpoint. */
export interface Delivery {
  readonly event: RecordedEvent
  /** Null if there was no answer. */
  readonly status: number | null
}

const timeoutMs = 5000

/** Creates what sends events. Without a destination they are only recorded. */
export function createDeliveries(state: StripeState) {
  const deliveries: Delivery[] = []
  let destination: SendOptions | null = null
  let taken = 0
  let queue: Promise<unknown> = Promise.resolve()

  async function send(event: RecordedEvent, options: SendOptions): Promise<Delivery> {
    const delivery = { event, status: await post(event, options) }
    deliveries.push(delivery)
    if (delivery.status !== null && delivery.status >= 200 && delivery.status < 300) event.isDelivered = true
    return delivery
  }

  function enqueue(event: RecordedEvent): void {
    const options = destination
    if (options !== null) queue = queue.then(() => send(event, options))
  }
  state.eventListeners.push(enqueue)

  return {
    /** All attempts, oldest first. */
    deliveries,
    /** Sends an event now, also one that was sent before. */
    send,
    /** Sends each new event to a webhook endpoint; null for no longer. */
    deliverTo(url: string | null, secrets: readonly string[] = []): void {
      destination = url === null ? null : { url, secrets }
    },
    /** Resolves after all events so far were sent. */
    async whenDelivered(): Promise<void> {
      await queue
    },
    /** Sends everything again that no endpoint has accepted. */
    async redeliver(): Promise<void> {
      for (const event of state.events) if (!event.isDelivered) enqueue(event)
      await queue
    },
    /** Returns the events since the last call that no endpoint has accepted. */
    takeEvents(): RecordedEvent[] {
      const events = state.events.slice(taken).filter(({ isDelivered }) => !isDelivered)
      taken = state.events.length
      return events
    },
  }
}

async function post(event: RecordedEvent, { url, secrets, at }: SendOptions): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': event.signature(secrets, at) },
      body: event.body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}
