import { billing as contract } from '@sallyport/contract/billing'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { mount } from '../../../platform/http/mount.ts'
import { type BillingEvent, type ReportingProvider, WebhookRefusedError } from '../billing-provider.ts'

interface WebhookRoutesDeps extends Pick<ServerContext, 'rateLimiter' | 'log'> {
  readonly provider: Pick<ReportingProvider, 'parseEvent'>
  /** Returns whether the event is about something of this server. */
  readonly receiveEvent: (event: BillingEvent) => Promise<boolean>
}

/** Mounts the call by which the payment provider reports events. Refused ones are limited, signed ones never are. */
export function webhookRoutes(
  app: FastifyInstance,
  { provider, receiveEvent, rateLimiter, log }: WebhookRoutesDeps,
): void {
  async function parse(body: Uint8Array, signature: string | undefined, address: string): Promise<BillingEvent> {
    try {
      return provider.parseEvent(body, signature)
    } catch (error) {
      if (!(error instanceof WebhookRefusedError)) throw error
      await rateLimiter.require(`refused-webhooks|${address}`, rateLimits.refusedWebhooksPerAddress)
      log.warn({ reason: error.reason }, 'a webhook event was refused')
      throw apiError('WEBHOOK_REFUSED')
    }
  }

  const loggedTypes = new Set<string>()

  /** Logs each type once: an account at Stripe may be shared with much else. */
  function logUnknown(type: string): void {
    if (loggedTypes.has(type)) return
    loggedTypes.add(type)
    log.info({ type }, 'a webhook event is about nothing of this server')
  }

  mount(app, contract.webhook, async ({ body, headers, address }) => {
    const event = await parse(body, headers['stripe-signature'], address)
    const isKnown = await receiveEvent(event)
    if (!isKnown) logUnknown(event.type)
    return { received: true as const }
  })
}
