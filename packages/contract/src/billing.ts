import * as z from 'zod/mini'
import { anyAccount, endpoint, raw } from './endpoint.ts'
import { Succeeded } from './fields.ts'

/** The events of the provider have some 10 KB. */
const webhookBytes = 256 * 1024

const url = z.string().check(z.maxLength(2048))
const TestCheckoutParams = z.object({ id: z.string().check(z.maxLength(64)) })

/** The state of a subscription; `none` without one. */
export const SubscriptionStatus = z.enum(['none', 'active', 'past_due', 'canceled'])
export type SubscriptionStatus = z.output<typeof SubscriptionStatus>

export const PaidPlan = z.enum(['personal', 'business'])
export type PaidPlan = z.output<typeof PaidPlan>

const CheckoutState = z.enum(['open', 'paid', 'expired'])
/** Without it the personal plan, if there is a subscription to it, or else that of the organization I own. */
const PlanQuery = z.object({ plan: z.optional(PaidPlan) })

export const billing = {
  createCheckout: endpoint({
    method: 'POST',
    path: '/api/stripe/create-checkout',
    summary: 'Start to buy the personal plan; the reply has the URL of the page to pay on',
    access: 'account',
    // A rejected sign-in long after the end of a licence cannot complete the second factor.
    allowWithout: ['licence', 'second-factor'],
    body: z.object({
      price_id: z.string().check(z.maxLength(64)),
      customer_email: z.string().check(z.maxLength(320)),
      /** Checked if it is sent. */
      user_id: z.optional(z.string().check(z.maxLength(64))),
      success_url: url,
      cancel_url: url,
    }),
    reply: z.object({ success: Succeeded, checkout_url: z.string(), checkout_id: z.string() }),
    errors: [
      'PAYMENTS_OFF',
      'PRICE_UNKNOWN',
      'CHECKOUT_MISMATCH',
      'RETURN_URL_INVALID',
      'ALREADY_SUBSCRIBED',
      'PAYMENTS_AWAY',
      'PAYMENTS_REFUSED',
      'RATE_LIMITED',
    ],
  }),
  createBusinessCheckout: endpoint({
    method: 'POST',
    path: '/api/stripe/create-business-checkout',
    summary: 'Start to buy seats for an organization, which exists once they are paid; the reply has the URL to pay on',
    access: 'account',
    allowWithout: ['licence', 'second-factor'],
    body: z.object({
      organization_name: z.string().check(z.maxLength(1024)),
      customer_email: z.string().check(z.maxLength(320)),
      user_id: z.string().check(z.maxLength(64)),
      quantity: z.number(),
      success_url: url,
      cancel_url: url,
    }),
    reply: z.object({ success: Succeeded, checkout_url: z.string(), checkout_id: z.string() }),
    errors: [
      'PAYMENTS_OFF',
      'ORGANIZATION_NAME_MISSING',
      'ORGANIZATION_NAME_INVALID',
      'QUANTITY_INVALID',
      'CHECKOUT_MISMATCH',
      'RETURN_URL_INVALID',
      'ALREADY_SUBSCRIBED',
      'ALREADY_IN_ORGANIZATION',
      'PAYMENTS_AWAY',
      'PAYMENTS_REFUSED',
      'RATE_LIMITED',
    ],
  }),
  subscription: endpoint({
    method: 'GET',
    path: '/api/subscription/info',
    summary: 'Get my subscription',
    access: 'account',
    allowWithout: ['licence', 'second-factor'],
    query: PlanQuery,
    reply: z.object({
      success: Succeeded,
      /** Null without a subscription. */
      plan: z.nullable(PaidPlan),
      status: SubscriptionStatus,
      /** US cents per month for all seats; null without a subscription. */
      price_cents: z.nullable(z.int()),
      /** Null for the personal plan and without a subscription. */
      seats: z.nullable(z.int()),
      cancel_at_period_end: z.boolean(),
      /** Epoch seconds; null without a subscription. */
      current_period_end: z.nullable(z.int()),
      /** Epoch seconds until which an unpaid plan stays; null while it is paid. */
      keep_until: z.nullable(z.int()),
      /** Whether the payment provider has a page with the payment method and the invoices. */
      has_payment_page: z.boolean(),
    }),
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/api/subscription/cancel',
    summary: 'Cancel my subscription at the end of the paid period',
    ...anyAccount,
    query: PlanQuery,
    reply: z.object({ success: Succeeded, message: z.string() }),
    errors: ['NO_SUBSCRIPTION', 'PAYMENTS_AWAY', 'PAYMENTS_REFUSED', 'RATE_LIMITED'],
  }),
  manageSubscription: endpoint({
    method: 'POST',
    path: '/api/subscription/manage',
    summary: 'Get the URL of the payment provider’s page with the payment method and the invoices of my subscription',
    ...anyAccount,
    query: PlanQuery,
    /** The page of this server that it leads back to. */
    body: z.object({ return_path: url }),
    reply: z.object({ success: Succeeded, url: z.string() }),
    errors: [
      'NO_SUBSCRIPTION',
      'NO_PAYMENT_PAGE',
      'RETURN_URL_INVALID',
      'PAYMENTS_AWAY',
      'PAYMENTS_REFUSED',
      'RATE_LIMITED',
    ],
  }),
  webhook: endpoint({
    method: 'POST',
    path: '/api/stripe/webhook',
    summary: 'Receive an event of the payment provider, which signs it; known only with BILLING=stripe',
    access: 'anyone',
    headers: z.object({ 'stripe-signature': z.optional(z.string().check(z.maxLength(4096))) }),
    body: raw,
    bodyBytes: webhookBytes,
    reply: z.object({ success: Succeeded, received: z.literal(true) }),
    errors: ['WEBHOOK_REFUSED', 'RATE_LIMITED'],
  }),
  testCheckout: endpoint({
    method: 'GET',
    path: '/api/billing/test-checkouts/:id',
    summary: 'Get what a test checkout sells, on servers without a payment provider',
    access: 'anyone',
    params: TestCheckoutParams,
    reply: z.object({
      success: Succeeded,
      state: CheckoutState,
      plan: PaidPlan,
      /** US cents per month for one of the quantity. */
      price_cents: z.int(),
      /** The seats; 1 for the personal plan. */
      quantity: z.int(),
      /** Null for the personal plan, and unless it is open. */
      organization_name: z.nullable(z.string()),
      /** Empty unless it is open. */
      customer_email: z.string(),
      success_url: z.string(),
      cancel_url: z.string(),
    }),
    errors: ['CHECKOUT_NOT_FOUND', 'RATE_LIMITED'],
  }),
  payTestCheckout: endpoint({
    method: 'POST',
    path: '/api/billing/test-checkouts/:id/pay',
    summary: 'Pay a test checkout; no money moves',
    access: 'anyone',
    params: TestCheckoutParams,
    /** Whether charges after this one, such as those for more seats, are declined. */
    query: z.object({ later_charges: z.optional(z.enum(['paid', 'declined'])) }),
    reply: z.object({ success: Succeeded, success_url: z.string() }),
    errors: ['CHECKOUT_NOT_FOUND', 'CHECKOUT_EXPIRED', 'RATE_LIMITED'],
  }),
  declineTestCheckout: endpoint({
    method: 'POST',
    path: '/api/billing/test-checkouts/:id/decline',
    summary: 'Pay a test checkout with a card that is declined: always PAYMENT_DECLINED, and nothing changes',
    access: 'anyone',
    params: TestCheckoutParams,
    reply: z.object({ success: Succeeded }),
    errors: ['CHECKOUT_NOT_FOUND', 'CHECKOUT_EXPIRED', 'PAYMENT_DECLINED', 'RATE_LIMITED'],
  }),
}
