import { isLoopbackHostname } from '../../platform/http/local-requests.ts'

/**
 * - `none`: no plans and no prices; accounts never end.
 * - `contact`: people ask the operator for a plan.
 * - `test`: plans are bought on a test page; no money moves.
 * - `stripe`: plans are paid at Stripe.
 */
export type BillingMode = 'none' | 'contact' | 'test' | 'stripe'

interface BillingSettings {
  readonly HOST?: string | undefined
  readonly BILLING?: BillingMode | undefined
  readonly DEFAULT_PLAN?: string | undefined
  readonly STRIPE_SECRET_KEY?: string | undefined
  readonly STRIPE_WEBHOOK_SECRET?: readonly string[]
}

/**
 * The billing mode of an instance. Unless it is set, a server whose URL is on its own machine sells on the test page,
 * and nobody needs a plan where accounts never end.
 */
export function billingModeOf({ BILLING, DEFAULT_PLAN = 'trial' }: BillingSettings, publicUrl: URL): BillingMode {
  if (BILLING !== undefined) return BILLING
  if (DEFAULT_PLAN !== 'trial') return 'none'
  return isLoopbackHostname(publicUrl.hostname) ? 'test' : 'contact'
}

/** What the operator has to know about the mode at the start; null for nothing. */
export function billingWarningOf(settings: BillingSettings, publicUrl: URL): string | null {
  const mode = billingModeOf(settings, publicUrl)
  const isLocal = isLoopbackHostname(publicUrl.hostname) && isLoopbackHostname(settings.HOST ?? '')
  if (mode === 'test' && !isLocal)
    return 'BILLING is test: everyone who can open this server gets the personal plan without paying. With BILLING=contact you grant plans, with BILLING=none there are none'
  if (mode === 'contact' && settings.BILLING === undefined)
    return 'BILLING is not set: people who want a paid plan are asked to contact you. BILLING=none removes plans and prices'
  if (
    mode === 'stripe' &&
    /^.k_test_/.test(settings.STRIPE_SECRET_KEY ?? '') &&
    !isLoopbackHostname(publicUrl.hostname)
  )
    return 'STRIPE_SECRET_KEY is a test key: everyone can buy plans with the card numbers of Stripe’s test mode, and no money moves'
  if (mode === 'stripe' && settings.STRIPE_WEBHOOK_SECRET?.length === 0)
    return 'STRIPE_WEBHOOK_SECRET is not set: Stripe cannot report renewals and failed payments, which are read once a day'
  return null
}
