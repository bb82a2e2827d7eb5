import { billing as contract, PaidPlan } from '@sallyport/contract/billing'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { BillingService } from '../billing.service.ts'
import type { TestProvider } from './test-provider.ts'

interface TestCheckoutRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly testProvider: Pick<TestProvider, 'showCheckout' | 'pay'>
  readonly billing: Pick<BillingService, 'applyPayment' | 'findCheckout'>
}

/** The page of the test provider. Everyone who knows the id of a checkout can pay it, as with that of a real one. */
export function testCheckoutRoutes(
  app: FastifyInstance,
  { testProvider, billing, rateLimiter }: TestCheckoutRoutesDeps,
) {
  async function show(id: string, address: string) {
    const key = `test-checkout|${address}`
    await rateLimiter.require(key, rateLimits.checkoutMissesPerAddress)
    // The account may have been deleted since.
    const ordered = await billing.findCheckout(id)
    if (!ordered) throw apiError('CHECKOUT_NOT_FOUND')
    const checkout = await testProvider.showCheckout(id)
    await rateLimiter.refund(key)
    const organization_name = checkout.state === 'open' ? ordered.organization_name : null
    return { ...checkout, plan: PaidPlan.parse(ordered.plan), organization_name }
  }

  mount(app, contract.testCheckout, async ({ params, address }) => show(params.id, address))

  mount(app, contract.payTestCheckout, async ({ params, query, address }) => {
    await show(params.id, address)
    const { success_url } = await testProvider.pay(params.id, query.later_charges === 'declined')
    await billing.applyPayment(params.id)
    return { success_url }
  })

  mount(app, contract.declineTestCheckout, async ({ params, address }): Promise<never> => {
    const { state } = await show(params.id, address)
    throw state === 'open' ? apiError('PAYMENT_DECLINED') : apiError('CHECKOUT_EXPIRED')
  })
}
