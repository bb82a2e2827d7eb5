import { licenceLimits } from '@sallyport/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Job } from '../jobs.ts'
import { announceLicence } from '../modules/accounts/licences/licences.ts'
import { billingRoutes } from '../modules/billing/billing.routes.ts'
import { type BillingService, createBillingService } from '../modules/billing/billing.service.ts'
import type { BillingMode } from '../modules/billing/billing-mode.ts'
import { createTestBillingStore } from '../modules/billing/test-provider/test-billing.store.ts'
import { testCheckoutRoutes } from '../modules/billing/test-provider/test-checkout.routes.ts'
import { createTestProvider } from '../modules/billing/test-provider/test-provider.ts'
import type { Users } from './users.ts'

interface MountBillingOptions extends Pick<Users, 'billingStore'> {
  readonly mode: BillingMode
}

interface MountedBilling {
  /** Null where plans are not sold. */
  readonly billing: BillingService | null
  readonly jobs: readonly Job[]
}

/** Mounts the calls to buy and cancel plans; the test page only where it takes the payments. */
export function mountBilling(
  app: FastifyInstance,
  context: ServerContext,
  { billingStore, mode }: MountBillingOptions,
): MountedBilling {
  const { db } = context
  if (mode !== 'test') {
    billingRoutes(app, { billing: null })
    return { billing: null, jobs: [] }
  }
  const testProvider = createTestProvider({ ...context, store: createTestBillingStore(db) })
  const billing = createBillingService({
    ...context,
    store: billingStore,
    provider: testProvider,
    priceCents: licenceLimits.paid.personalCents,
    onLicenceChange: (userId) => announceLicence(context, userId),
  })
  billingRoutes(app, { billing })
  testCheckoutRoutes(app, { ...context, testProvider, billing })
  return { billing, jobs: [billing.job] }
}
