import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Job } from '../jobs.ts'
import { billingRoutes } from '../modules/billing/billing.routes.ts'
import { testCheckoutRoutes } from '../modules/billing/test-provider/test-checkout.routes.ts'
import type { Users } from './users.ts'

/** Mounts the calls to buy and cancel plans; the test page only where it takes the payments. Returns their jobs. */
export function mountBilling(
  app: FastifyInstance,
  context: ServerContext,
  { billing, testProvider }: Pick<Users, 'billing' | 'testProvider'>,
): readonly Job[] {
  billingRoutes(app, { billing })
  if (!billing || !testProvider) return []
  testCheckoutRoutes(app, { ...context, testProvider, billing })
  return [billing.job]
}
