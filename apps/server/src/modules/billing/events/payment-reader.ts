import { PaidPlan } from '@sallyport/contract/billing'
import type { BillingStore } from '../billing.store.ts'
import type { BillingProvider } from '../billing-provider.ts'
import type { Checkouts } from '../checkouts.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { Payment } from './stale-payments.store.ts'

interface PaymentReaderDeps {
  readonly store: Pick<BillingStore, 'findCheckout' | 'findSubscription'>
  readonly provider: Pick<BillingProvider, 'getCheckout'>
  readonly checkouts: Pick<Checkouts, 'apply'>
  readonly subscriptions: Pick<Subscriptions, 'apply' | 'endOverdue'>
  readonly lock: <Result>(userId: string, step: () => Promise<Result>) => Promise<Result>
}

/** Creates the function that reads a checkout or a subscription of this server from the provider, and applies it. */
export function createPaymentReader(deps: PaymentReaderDeps) {
  const { store, provider, checkouts, subscriptions, lock } = deps

  async function applySubscription(providerId: string): Promise<void> {
    const row = await store.findSubscription(providerId)
    if (!row) return
    const subscriber = { userId: row.user_id, plan: PaidPlan.parse(row.plan), organizationId: row.organization_id }
    await subscriptions.apply(subscriber, providerId)
    await subscriptions.endOverdue(subscriber.userId, subscriber.plan)
  }

  async function applyCheckout(providerId: string): Promise<void> {
    const checkout = await store.findCheckout(providerId)
    if (checkout && checkout.state !== 'paid') return checkouts.apply(checkout)
    // The organization of a paid checkout may be gone since: only a subscription that is stored is read again.
    const { subscriptionId } = await provider.getCheckout(providerId)
    if (subscriptionId !== null) await applySubscription(subscriptionId)
  }

  return async ({ kind, providerId }: Payment, isStillStale: () => Promise<boolean>): Promise<boolean> => {
    const find = kind === 'checkout' ? store.findCheckout : store.findSubscription
    const found = await find(providerId)
    if (!found) return true
    return lock(found.user_id, async () => {
      if (!(await isStillStale())) return false
      await (kind === 'checkout' ? applyCheckout : applySubscription)(providerId)
      return true
    })
  }
}
