import type { Stripe } from 'stripe'
import type { BillingProvider } from '../billing-provider.ts'
import { isInvalidRequest, isMissing, paymentsRefused } from './stripe-errors.ts'
import { idOf, metadataKeys } from './stripe-objects.ts'
import type { PriceFinder } from './stripe-prices.ts'

interface StripeCheckoutsDeps {
  readonly stripe: Stripe
  readonly prices: PriceFinder
  readonly instanceId: string
  readonly now: () => number
}

type CheckoutOrder = Parameters<BillingProvider['createCheckout']>[0]
type CheckoutFunctions = Pick<BillingProvider, 'createCheckout' | 'getCheckout' | 'expireCheckout'>

const checkoutSeconds = 60 * 60
const idTemplate = '{CHECKOUT_SESSION_ID}'
/** Others are paid days later, and more seats cannot wait for that. */
const paymentMethods = ['card', 'link'] as const
const endedStatuses: readonly string[] = ['canceled', 'incomplete_expired']

/** Checkouts on the page of Stripe. */
export function createStripeCheckouts({ stripe, prices, instanceId, now }: StripeCheckoutsDeps): CheckoutFunctions {
  async function paramsOf(order: CheckoutOrder): Promise<Stripe.Checkout.SessionCreateParams> {
    const metadata = {
      [metadataKeys.instance]: instanceId,
      [metadataKeys.checkout]: order.id,
      [metadataKeys.plan]: order.plan,
    }
    return {
      mode: 'subscription',
      client_reference_id: order.id,
      line_items: [{ price: await prices.requirePriceId(order.plan, order.priceCents), quantity: order.quantity }],
      success_url: withIdTemplate(order.successUrl),
      cancel_url: order.cancelUrl,
      expires_at: Math.floor(now() / 1000) + checkoutSeconds,
      allowed_payment_method_types: [...paymentMethods],
      metadata,
      subscription_data: { metadata },
    }
  }

  async function createSession({ id, customerId, customerEmail }: CheckoutOrder, params: SessionParams) {
    const { sessions } = stripe.checkout
    if (customerId !== null) {
      try {
        return await sessions.create({ ...params, customer: customerId }, { idempotencyKey: id })
      } catch (error) {
        if (!isMissing(error, 'customer')) throw error
      }
    }
    // Another request under the same key would be rejected.
    const idempotencyKey = customerId === null ? id : `${id}-email`
    return sessions.create({ ...params, customer_email: customerEmail }, { idempotencyKey })
  }

  /** Null if Stripe does not know it, such as one of the test page or of another mode, which cannot be paid either. */
  async function find(providerId: string): Promise<Stripe.Checkout.Session | null> {
    try {
      return await stripe.checkout.sessions.retrieve(providerId, { expand: ['subscription'] })
    } catch (error) {
      if (isMissing(error, 'session')) return null
      throw error
    }
  }

  return {
    async createCheckout(order) {
      const params = await paramsOf(order)
      const session = await createSession(order, params).catch((error: unknown) => {
        prices.clear()
        throw error
      })
      if (session.url === null) throw paymentsRefused(`The checkout ${session.id} has no page`)
      return { providerId: session.id, url: session.url, expiresAt: session.expires_at * 1000 }
    },
    async getCheckout(providerId) {
      const session = await find(providerId)
      const state = session === null ? 'expired' : stateOf(session)
      const subscription = session?.subscription ?? null
      return { state, subscriptionId: state === 'paid' && subscription !== null ? idOf(subscription) : null }
    },
    async expireCheckout(providerId) {
      try {
        await stripe.checkout.sessions.expire(providerId)
      } catch (error) {
        if (!isInvalidRequest(error) || (await find(providerId))?.status === 'open') throw error
      }
    },
  }
}

type SessionParams = Stripe.Checkout.SessionCreateParams

/** Stripe replaces only the literal template, which is encoded in some URLs. */
const withIdTemplate = (url: string): string => url.replaceAll(/%7BCHECKOUT_SESSION_ID%7D/gi, idTemplate)

/** A completed checkout counts once it is paid; it can no longer be if its subscription has ended before. */
function stateOf({ status, payment_status, subscription }: Stripe.Checkout.Session): 'open' | 'paid' | 'expired' {
  if (status === 'expired') return 'expired'
  if (status !== 'complete' || subscription === null) return 'open'
  if (payment_status !== 'unpaid') return 'paid'
  return typeof subscription !== 'string' && endedStatuses.includes(subscription.status) ? 'expired' : 'open'
}
