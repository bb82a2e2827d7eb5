import type { Stripe } from 'stripe'
import { createId } from '../state/state.ts'

export interface PortalFeatures {
  readonly paymentMethodUpdate: boolean
  readonly invoiceHistory: boolean
  readonly customerUpdate: boolean
  readonly subscriptionCancel: boolean
  readonly subscriptionUpdate: boolean
}

interface ConfigurationFields {
  readonly features: PortalFeatures
  readonly name: string | null
  readonly metadata: Stripe.Metadata
  readonly returnUrl: string | null
  readonly created: number
}

export const newConfiguration = ({ features, name, metadata, returnUrl, created }: ConfigurationFields) =>
  ({
    id: createId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: returnUrl,
    features: newFeatures(features),
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata,
    name,
    updated: created,
  }) satisfies Stripe.BillingPortal.Configuration as Stripe.BillingPortal.Configuration

const newFeatures = (features: PortalFeatures) =>
  ({
    customer_update: { allowed_updates: [], enabled: features.customerUpdate },
    invoice_history: { enabled: features.invoiceHistory },
    payment_method_update: { enabled: features.paymentMethodUpdate, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      enabled: features.subscriptionCancel,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: features.subscriptionUpdate,
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  }) satisfies Stripe.BillingPortal.Configuration.Features

interface PortalSessionFields {
  readonly origin: string
  readonly customer: string
  readonly configuration: string
  readonly returnUrl: string | null
  readonly created: number
}

export function newPortalSession({ origin, customer, configuration, returnUrl, created }: PortalSessionFields) {
  const id = createId('bps')
  return {
    id,
    object: 'billing_portal.session',
    configuration,
    created,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${origin}/p/session/${id}`,
  } satisfies Stripe.BillingPortal.Session
}
