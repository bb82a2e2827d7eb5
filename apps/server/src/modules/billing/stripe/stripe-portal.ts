import type { Stripe } from 'stripe'
import { isMissing } from './stripe-errors.ts'
import { findOwn, pageSize } from './stripe-objects.ts'

interface StripePortalDeps {
  readonly stripe: Stripe
  readonly instanceId: string
  readonly now: () => number
}

const cacheMs = 10 * 60 * 1000

/** Returns the portal configuration of this instance, or null. */
export const findPortalConfiguration = (stripe: Stripe, instanceId: string) =>
  findOwn(stripe.billingPortal.configurations.list({ active: true, limit: pageSize }), instanceId)

/** Returns a function that creates the URL of a page with the payment method and the invoices of a customer. */
export function createPortalUrls({ stripe, instanceId, now }: StripePortalDeps) {
  let cached: { readonly id: string; readonly until: number } | null = null

  /** Null if there is none, and then Stripe uses the one of the account. */
  async function findConfigurationId(): Promise<string | null> {
    if (cached !== null && cached.until > now()) return cached.id
    const found = await findPortalConfiguration(stripe, instanceId)
    cached = found && { id: found.id, until: now() + cacheMs }
    return found?.id ?? null
  }

  return async (customerId: string, returnUrl: string): Promise<string | null> => {
    const configuration = await findConfigurationId()
    try {
      const { url } = await stripe.billingPortal.sessions.create({
        customer: customerId,
        return_url: returnUrl,
        ...(configuration !== null && { configuration }),
      })
      return url
    } catch (error) {
      cached = null
      if (isMissing(error, 'customer')) return null
      throw error
    }
  }
}
