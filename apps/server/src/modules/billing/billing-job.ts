import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import type { Job } from '../../jobs.ts'
import type { BillingStore } from './billing.store.ts'
import type { BillingProvider } from './billing-provider.ts'
import type { StalePaymentsStore } from './events/stale-payments.store.ts'
import type { StalePayments } from './events/stale-payments.ts'
import type { SeatOrdersStore } from './seat-orders.store.ts'

interface BillingJobDeps extends Pick<ServerContext, 'now' | 'onError'> {
  readonly store: BillingStore
  readonly orders: Pick<SeatOrdersStore, 'interruptedOwners' | 'unconfirmedSubscriptions'>
  readonly staleStore: Pick<StalePaymentsStore, 'markOnce' | 'removeOldEvents'>
  readonly stalePayments: Pick<StalePayments, 'run'>
  readonly provider: Pick<BillingProvider, 'removeOldCheckouts'>
  readonly lock: (userId: string, step: () => Promise<void>) => Promise<void>
  readonly finishInterrupted: (userId: string) => Promise<void>
}

const dayMs = 24 * 60 * 60 * 1000
/** How long checkouts that are over are stored, and which events have been received. */
const retentionMs = 30 * dayMs

/**
 * Applies payments whose return page was never opened, renewals, orders of seats that were interrupted, and once a day
 * whatever has not been reported. A failure does not stop the others.
 */
export function createBillingJob(deps: BillingJobDeps): Job {
  const { store, orders, staleStore, stalePayments, provider, lock, finishInterrupted, now, onError } = deps

  async function markOpenCheckouts(signal: AbortSignal): Promise<void> {
    for await (const rows of inBatches(store.openCheckouts, ({ id }) => id)) {
      if (signal.aborted) return
      const payments = rows.map(({ provider_id }) => ({ kind: 'checkout' as const, providerId: provider_id }))
      await staleStore.markOnce(payments, now())
    }
  }

  async function markStaleSubscriptions(signal: AbortSignal): Promise<void> {
    const times = { endedBefore: now(), readBefore: now() - dayMs }
    const list = (after: string, limit: number) => store.staleSubscriptions({ ...times, after, limit })
    for await (const rows of inBatches(list, ({ provider_id }) => provider_id)) {
      if (signal.aborted) return
      const payments = rows.map(({ provider_id }) => ({ kind: 'subscription' as const, providerId: provider_id }))
      await staleStore.markOnce(payments, now())
    }
  }

  async function markUnconfirmed(): Promise<void> {
    const ids = await orders.unconfirmedSubscriptions(now() - dayMs)
    const payments = ids.map((providerId) => ({ kind: 'subscription' as const, providerId }))
    await staleStore.markOnce(payments, now())
  }

  async function finishOrders(signal: AbortSignal): Promise<void> {
    for await (const userIds of inBatches(orders.interruptedOwners, (id) => id))
      for (const userId of userIds) {
        if (signal.aborted) return
        await lock(userId, () => finishInterrupted(userId)).catch(onError)
      }
  }

  return {
    name: 'subscriptions',
    needsRightTime: true,
    everyMs: sweepLimits.everyMs,
    async run(signal) {
      await markOpenCheckouts(signal)
      await finishOrders(signal)
      await markStaleSubscriptions(signal)
      await markUnconfirmed()
      await stalePayments.run(signal)
      const before = now() - retentionMs
      await store.removeOldCheckouts(before)
      await staleStore.removeOldEvents(before)
      await provider.removeOldCheckouts(before)
    },
  }
}

/** Reads rows in the order of their keys, in batches. */
async function* inBatches<Row>(list: (after: string, limit: number) => Promise<Row[]>, keyOf: (row: Row) => string) {
  for (let after = ''; ; ) {
    const rows = await list(after, sweepLimits.batch)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < sweepLimits.batch) return
    after = keyOf(last)
  }
}
