import * as z from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { isInRange, pageOf } from '../http/lists.ts'
import { boolean, expand, mergeMetadata, metadata, paging, range } from '../http/params.ts'
import { findByPath } from '../http/stripe-error.ts'
import type { RecordedEvent } from '../state/recorded-event.ts'
import { createId } from '../state/state.ts'

const daySeconds = 24 * 60 * 60
const listedDays = 30

const toAnswer = ({ event, isDelivered }: RecordedEvent) => ({ ...event, pending_webhooks: isDelivered ? 0 : 1 })

const eventRoutes = [
  endpoint(
    'GET',
    '/v1/events',
    {
      ...paging,
      type: z.string().optional(),
      types: z.array(z.string()).max(20).optional(),
      created: range.optional(),
      delivery_success: boolean.optional(),
    },
    ({ state, params: { type, types, created, delivery_success, ...params } }) => {
      const since = state.clock.seconds() - listedDays * daySeconds
      const events = state.events.filter(
        ({ event, isDelivered }) =>
          event.created >= since &&
          (type === undefined || event.type === type) &&
          (types === undefined || types.includes(event.type)) &&
          (delivery_success === undefined || isDelivered === delivery_success) &&
          isInRange(event.created, created),
      )
      return pageOf(events.map(toAnswer), '/v1/events', params)
    },
  ),
  endpoint('GET', '/v1/events/:id', expand, ({ state, id }) => {
    const events = new Map(state.events.map((event) => [event.id, event]))
    return toAnswer(findByPath(events, id, { kind: 'event' }))
  }),
]

const endpointFields = { ...expand, description: z.string().optional(), metadata: metadata.optional() }
const enabledEvents = z.array(z.string()).min(1)

const webhookEndpointRoutes = [
  endpoint(
    'POST',
    '/v1/webhook_endpoints',
    { ...endpointFields, url: z.url(), enabled_events: enabledEvents, api_version: z.string().optional() },
    ({ state, params }) => {
      const webhookEndpoint = {
        id: createId('we'),
        object: 'webhook_endpoint' as const,
        api_version: params.api_version ?? null,
        application: null,
        created: state.clock.seconds(),
        description: params.description ?? null,
        enabled_events: params.enabled_events,
        livemode: false,
        metadata: mergeMetadata({}, params.metadata),
        status: 'enabled',
        url: params.url,
      }
      state.webhookEndpoints.set(webhookEndpoint.id, webhookEndpoint)
      // The secret is answered only now.
      return { ...webhookEndpoint, secret: createId('whsec') }
    },
  ),
  endpoint('GET', '/v1/webhook_endpoints', paging, ({ state, params }) =>
    pageOf(state.webhookEndpoints.values(), '/v1/webhook_endpoints', params),
  ),
  endpoint(
    'POST',
    '/v1/webhook_endpoints/:id',
    {
      ...endpointFields,
      url: z.url().optional(),
      enabled_events: enabledEvents.optional(),
      disabled: boolean.optional(),
    },
    ({ state, id, params }) => {
      const webhookEndpoint = findByPath(state.webhookEndpoints, id, { kind: 'webhook endpoint' })
      webhookEndpoint.url = params.url ?? webhookEndpoint.url
      webhookEndpoint.enabled_events = params.enabled_events ?? webhookEndpoint.enabled_events
      webhookEndpoint.description = params.description ?? webhookEndpoint.description
      webhookEndpoint.metadata = mergeMetadata(webhookEndpoint.metadata, params.metadata)
      if (params.disabled !== undefined) webhookEndpoint.status = params.disabled ? 'disabled' : 'enabled'
      return webhookEndpoint
    },
  ),
]

export const eventAndWebhookRoutes = [...eventRoutes, ...webhookEndpointRoutes]
