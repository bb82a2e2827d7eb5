import type { Stripe } from 'stripe'
import * as z from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/lists.ts'
import { boolean, expand, mergeMetadata, metadata, paging } from '../http/params.ts'
import { findByParam, findByPath, invalidRequest } from '../http/stripe-error.ts'
import { newConfiguration, newPortalSession } from '../objects/portal.ts'
import type { StripeState } from '../state/state.ts'

const feature = z.strictObject({ enabled: boolean }).optional()
const features = z.strictObject({
  payment_method_update: feature,
  invoice_history: feature,
  customer_update: feature,
  subscription_cancel: feature,
  subscription_update: feature,
})

const configurationFields = {
  ...expand,
  name: z.string().optional(),
  default_return_url: z.string().optional(),
  metadata: metadata.optional(),
}

const missing = { kind: 'configuration', param: 'configuration' }

export const portalRoutes = [
  endpoint('POST', '/v1/billing_portal/configurations', { ...configurationFields, features }, ({ state, params }) => {
    const isEnabled = (name: keyof typeof params.features): boolean => params.features[name]?.enabled ?? false
    const configuration = newConfiguration({
      features: {
        paymentMethodUpdate: isEnabled('payment_method_update'),
        invoiceHistory: isEnabled('invoice_history'),
        customerUpdate: isEnabled('customer_update'),
        subscriptionCancel: isEnabled('subscription_cancel'),
        subscriptionUpdate: isEnabled('subscription_update'),
      },
      name: params.name ?? null,
      metadata: mergeMetadata({}, params.metadata),
      returnUrl: params.default_return_url ?? null,
      created: state.clock.seconds(),
    })
    state.configurations.set(configuration.id, configuration)
    return configuration
  }),
  endpoint(
    'GET',
    '/v1/billing_portal/configurations',
    { ...paging, active: boolean.optional(), is_default: boolean.optional() },
    ({ state, params: { active, is_default, ...params } }) => {
      const configurations = [...state.configurations.values()].filter(
        (configuration) =>
          (active === undefined || configuration.active === active) &&
          (is_default === undefined || configuration.is_default === is_default),
      )
      return pageOf(configurations, '/v1/billing_portal/configurations', params)
    },
  ),
  endpoint(
    'POST',
    '/v1/billing_portal/configurations/:id',
    { ...configurationFields, active: boolean.optional(), features: features.optional() },
    ({ state, id, params }) => {
      const configuration = findByPath(state.configurations, id, missing)
      configuration.active = params.active ?? configuration.active
      configuration.name = params.name ?? configuration.name
      configuration.default_return_url = params.default_return_url ?? configuration.default_return_url
      configuration.metadata = mergeMetadata(configuration.metadata ?? {}, params.metadata)
      updateFeatures(configuration, params.features ?? {})
      configuration.updated = state.clock.seconds()
      return configuration
    },
  ),
  endpoint(
    'POST',
    '/v1/billing_portal/sessions',
    {
      ...expand,
      customer: z.string(),
      return_url: z.url().optional(),
      configuration: z.string().optional(),
    },
    ({ state, params: { customer, return_url, configuration } }) => {
      findByParam(state.customers, customer, { kind: 'customer', param: 'customer' })
      const session = newPortalSession({
        origin: state.origin,
        customer,
        configuration: findConfigurationId(state, configuration),
        returnUrl: return_url ?? null,
        created: state.clock.seconds(),
      })
      state.portalSessions.set(session.id, session)
      return session
    },
  ),
]

function updateFeatures(
  configuration: Stripe.BillingPortal.Configuration,
  changes: Partial<z.output<typeof features>>,
): void {
  for (const name of features.keyof().options) {
    const enabled = changes[name]?.enabled
    if (enabled !== undefined) configuration.features[name].enabled = enabled
  }
}

/** The configuration of a portal session. An account without any has no portal yet. */
function findConfigurationId(state: StripeState, id: string | undefined): string {
  if (id !== undefined) return findByParam(state.configurations, id, missing).id
  const [first] = state.configurations.values()
  if (first === undefined)
    throw invalidRequest('You can’t create a portal session until you save your customer portal settings.')
  return first.id
}
