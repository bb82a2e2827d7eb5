import { billing as contract } from '@sallyport/contract/billing'
import type { FastifyInstance } from 'fastify'
import { apiError } from '../../errors.ts'
import { formatDay } from '../../format-day.ts'
import { mount } from '../../platform/http/mount.ts'
import type { BillingService } from './billing.service.ts'
import { toSubscriptionReply } from './subscription-reply.ts'

interface BillingRoutesDeps {
  /** Null where plans are not sold. */
  readonly billing: BillingService | null
}

const personalPrice = 'personal'

export function billingRoutes(app: FastifyInstance, { billing }: BillingRoutesDeps): void {
  mount(app, contract.createCheckout, async ({ caller, body }) => {
    if (!billing) throw apiError('PAYMENTS_OFF')
    if (body.price_id !== personalPrice) throw apiError('PRICE_UNKNOWN')
    const { userId, email } = caller.account
    if (body.user_id !== undefined && body.user_id !== userId) throw apiError('CHECKOUT_MISMATCH')
    const { id, url } = await billing.startCheckout({
      userId,
      email,
      customerEmail: body.customer_email,
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    })
    return { checkout_url: url, checkout_id: id }
  })

  mount(app, contract.createBusinessCheckout, async ({ caller, body }) => {
    if (!billing) throw apiError('PAYMENTS_OFF')
    const { userId, email } = caller.account
    if (body.user_id !== userId) throw apiError('CHECKOUT_MISMATCH')
    const { id, url } = await billing.startBusinessCheckout({
      userId,
      email,
      customerEmail: body.customer_email,
      organizationName: body.organization_name,
      quantity: body.quantity,
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    })
    return { checkout_url: url, checkout_id: id }
  })

  mount(app, contract.subscription, async ({ caller, query }) =>
    toSubscriptionReply((await billing?.subscriptionOf(caller.account.userId, query.plan)) ?? null),
  )

  mount(app, contract.cancelSubscription, async ({ caller, query }) => {
    if (!billing) throw apiError('NO_SUBSCRIPTION')
    const endsAt = await billing.cancel(caller.account.userId, query.plan)
    return { message: `Your plan stays until ${formatDay(endsAt)}.` }
  })

  mount(app, contract.manageSubscription, async ({ caller, query, body }) => {
    if (!billing) throw apiError('NO_SUBSCRIPTION')
    const { userId } = caller.account
    return { url: await billing.portalUrl({ userId, plan: query.plan, returnPath: body.return_path }) }
  })
}
