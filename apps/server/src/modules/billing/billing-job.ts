import { PaidPlan } from '@sallyport/contract/billing'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import type { Job } from '../../jobs.ts'
import type { BillingStore, StoredCheckout } from './billing.store.ts'
import type { BillingProvider } from './billing-provider.ts'
import type { SeatOrdersStore } from './seat-orders.store.ts'
import type { Subscriber } from './subscriptions.ts'

interface BillingJobDeps extends Pick<ServerContext, 'now' | 'onError'> {
  readonly store: BillingStore
  readonly orders: Pick<SeatOrdersStore, 'interruptedOwners'>
  readonly provider: Pick<BillingProvider, 'removeOldCheckouts'>
  readonly lock: (userId: string, step: () => Promise<void>) => Promise<void>
  readonly applyCheckout: (checkout: StoredCheckout) => Promise<void>
  readonly applySubscription: (subscriber: Subscriber, providerId: string) => Promise<void>
  readonly finishInterrupted: (userId: string) => Promise<void>
}

/** How long checkouts that are over are stored. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/**
 * Applies payments whose return page was never opened, renewals, and orders of seats that were interrupted. A failure does
 * not stop the others.
 */
export function createBillingJob(deps: BillingJobDeps): Job {
  const { store, orders, provider, lock, now, onError } = deps
  const apply = (userId: string, step: () => Promise<void>) => lock(userId, step).catch(onError)

  return {
    name: 'subscriptions',
    needsRightTime: true,
    everyMs: sweepLimits.everyMs,
    async run(signal) {
      for await (const checkout of inBatches(store.openCheckouts, ({ id }) => id)) {
        if (signal.aborted) return
        await apply(checkout.user_id, () => deps.applyCheckout(checkout))
      }
      for await (const userId of inBatches(orders.interruptedOwners, (id) => id)) {
        if (signal.aborted) return
        await apply(userId, () => deps.finishInterrupted(userId))
      }
      const before = now()
      const listStale = (after: string, limit: number) => store.staleSubscriptions({ before, after, limit })
      for await (const row of inBatches(listStale, ({ provider_id }) => provider_id)) {
        if (signal.aborted) return
        const { user_id: userId, organization_id: organizationId } = row
        const subscriber = { userId, plan: PaidPlan.parse(row.plan), organizationId }
        await apply(userId, () => deps.applySubscription(subscriber, row.provider_id))
      }
      await store.removeOldCheckouts(before - retentionMs)
      await provider.removeOldCheckouts(before - retentionMs)
    },
  }
}

/** Reads rows in the order of their keys, a batch at a time. */
async function* inBatches<Row>(list: (after: string, limit: number) => Promise<Row[]>, keyOf: (row: Row) => string) {
  for (let after = ''; ; ) {
    const rows = await list(after, sweepLimits.batch)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < sweepLimits.batch) return
    after = keyOf(last)
  }
}
