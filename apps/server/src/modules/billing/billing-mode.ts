import { isLoopbackHostname } from '../../platform/http/local-requests.ts'

/**
 * - `none`: no plans and no prices; accounts never end.
 * - `contact`: people ask the operator for a plan.
 * - `test`: plans are bought on a test page; no money moves.
 */
export type BillingMode = 'none' | 'contact' | 'test'

interface BillingSettings {
  readonly BILLING?: BillingMode | undefined
  readonly DEFAULT_PLAN?: string | undefined
}

/**
 * The billing mode of an instance. Unless it is set, a server that only its own machine can open sells on the test page,
 * and nobody needs a plan where accounts never end.
 */
export function billingModeOf({ BILLING, DEFAULT_PLAN = 'trial' }: BillingSettings, publicUrl: URL): BillingMode {
  if (BILLING !== undefined) return BILLING
  if (DEFAULT_PLAN !== 'trial') return 'none'
  return isLoopbackHostname(publicUrl.hostname) ? 'test' : 'contact'
}
