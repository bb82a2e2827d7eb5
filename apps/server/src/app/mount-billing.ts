import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Job } from '../jobs.ts'
import { billingRoutes } from '../modules/billing/billing.routes.ts'
import { createPaymentEvents } from '../modules/billing/events/payment-events.ts'
import { createPaymentJobs } from '../modules/billing/events/payment-jobs.ts'
import { webhookRoutes } from '../modules/billing/events/webhook.routes.ts'
import { testCheckoutRoutes } from '../modules/billing/test-provider/test-checkout.routes.ts'
import type { Users } from './users.ts'

type BillingUsers = Pick<Users, 'billing' | 'testProvider' | 'stripe' | 'billingStore' | 'stalePaymentsStore'>

/** Mounts the calls to buy and cancel plans, and those of the provider that takes the payments. Returns their jobs. */
export function mountBilling(
  app: FastifyInstance,
  context: ServerContext,
  { billing, testProvider, stripe, billingStore, stalePaymentsStore }: BillingUsers,
): readonly Job[] {
  billingRoutes(app, { billing })
  if (!billing) return []
  if (testProvider) testCheckoutRoutes(app, { ...context, testProvider, billing })
  if (!stripe) return [billing.job]
  const { stalePayments } = billing
  const events = createPaymentEvents({ ...context, store: billingStore, staleStore: stalePaymentsStore, stalePayments })
  webhookRoutes(app, { ...context, provider: stripe, receiveEvent: events.receive })
  return [billing.job, ...createPaymentJobs({ ...context, provider: stripe, events, stalePayments })]
}
