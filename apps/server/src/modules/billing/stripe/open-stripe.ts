import type { ReportingProvider } from '../billing-provider.ts'
import { createStripeCheckouts } from './stripe-checkouts.ts'
import { createStripeClient, isLiveKey, type StripeClientOptions } from './stripe-client.ts'
import { listWithApiErrors, withApiErrors } from './stripe-errors.ts'
import { createEventParser } from './stripe-events.ts'
import { createPortalUrls } from './stripe-portal.ts'
import { createPriceFinder } from './stripe-prices.ts'
import { createStripeSeats } from './stripe-seats.ts'
import { createStripeSubscriptions } from './stripe-subscriptions.ts'

interface StripeOptions extends StripeClientOptions {
  /** An event may be signed with any of them. */
  readonly webhookSecrets: readonly string[]
  readonly instanceId: string
  readonly now: () => number
}

/** Opens Stripe as the payment provider. */
export async function openStripe(options: StripeOptions): Promise<ReportingProvider> {
  const { secretKey, webhookSecrets, instanceId, now } = options
  const stripe = await createStripeClient(options)
  const { signature } = stripe.webhooks
  if (signature === null) throw new Error('The Stripe SDK cannot verify signatures')
  const prices = createPriceFinder({ stripe, now })
  const checkouts = createStripeCheckouts({ stripe, prices, instanceId, now })
  const subscriptions = createStripeSubscriptions({ stripe, instanceId })
  const seats = createStripeSeats({ stripe, now })
  const createPortalUrl = createPortalUrls({ stripe, instanceId, now })

  return {
    createCheckout: (order) => withApiErrors(() => checkouts.createCheckout(order)),
    getCheckout: (id) => withApiErrors(() => checkouts.getCheckout(id)),
    expireCheckout: (id) => withApiErrors(() => checkouts.expireCheckout(id)),
    getSubscription: (id) => withApiErrors(() => subscriptions.getSubscription(id)),
    setCancelAtPeriodEnd: (id) => withApiErrors(() => subscriptions.setCancelAtPeriodEnd(id)),
    cancelImmediately: (id) => withApiErrors(() => subscriptions.cancelImmediately(id)),
    previewSeats: (id, quantity) => withApiErrors(() => seats.previewSeats(id, quantity)),
    setSeats: (id, order) => withApiErrors(() => seats.setSeats(id, order)),
    extend: (id, days) => withApiErrors(() => subscriptions.extend(id, days)),
    createPortalUrl: (customerId, returnUrl) => withApiErrors(() => createPortalUrl(customerId, returnUrl)),
    // Stripe stores the checkouts.
    removeOldCheckouts: async () => undefined,
    parseEvent: createEventParser({ signature, webhookSecrets, isLive: isLiveKey(secretKey), now }),
    listSubscriptions: () => listWithApiErrors(() => subscriptions.listSubscriptions()),
  }
}
