import { isDeepStrictEqual } from 'node:util'
import type { PaidPlan } from '@sallyport/contract/billing'
import type { BillingStore, StoredSubscription } from './billing.store.ts'
import type { BillingProvider } from './billing-provider.ts'
import { blocksPurchase, currentSubscription, isOverdue } from './subscription.rules.ts'

/** Who pays for a subscription, and for what. */
export interface Subscriber {
  readonly userId: string
  readonly plan: PaidPlan
  /** Null for the personal plan. */
  readonly organizationId: string | null
}

interface SubscriptionsDeps {
  readonly store: Pick<BillingStore, 'subscriptionsOf' | 'upsertSubscription'>
  readonly provider: Pick<BillingProvider, 'getSubscription' | 'setCancelAtPeriodEnd' | 'cancelImmediately'>
  /** Called when a subscription has changed. */
  readonly onChange: (subscriber: Subscriber) => Promise<void>
  readonly now: () => number
}

/** Stores what the provider says about subscriptions when it is asked. */
export function createSubscriptions({ store, provider, onChange, now }: SubscriptionsDeps) {
  const find = async (userId: string, plan: PaidPlan): Promise<StoredSubscription | null> =>
    currentSubscription(await store.subscriptionsOf(userId, plan))

  /** Stores what the provider says about a subscription. Returns whether it knows it. */
  async function read(subscriber: Subscriber, providerId: string): Promise<boolean> {
    const { userId, plan, organizationId } = subscriber
    const askedAt = now()
    const snapshot = await provider.getSubscription(providerId)
    const stored = (await store.subscriptionsOf(userId, plan)).find((one) => one.providerId === providerId)
    const current = snapshot ?? (stored && endUnknown(stored, askedAt))
    if (!current) return false
    const subscription = { ...current, providerId, plan, organizationId }
    await store.upsertSubscription({ userId, subscription, now: askedAt })
    if (!isDeepStrictEqual(stored, subscription)) await onChange(subscriber)
    return snapshot !== null
  }

  const apply = async (subscriber: Subscriber, providerId: string): Promise<void> =>
    void (await read(subscriber, providerId))

  /** Reads the subscription from the provider if something may have changed. */
  async function refresh(userId: string, plan: PaidPlan): Promise<StoredSubscription | null> {
    const found = await find(userId, plan)
    if (!found || found.endedAt !== null || found.periodEnd > now()) return found
    await apply({ userId, plan, organizationId: found.organizationId }, found.providerId)
    return find(userId, plan)
  }

  async function cancelNow(userId: string, subscription: StoredSubscription): Promise<void> {
    const { providerId, plan, organizationId } = subscription
    await provider.cancelImmediately(providerId)
    if (await read({ userId, plan, organizationId }, providerId)) return
    const ended = { ...subscription, status: 'canceled', endedAt: now() }
    await store.upsertSubscription({ userId, subscription: ended, now: now() })
    await onChange({ userId, plan, organizationId })
  }

  return {
    apply,
    find,
    refresh,
    /** Ends a subscription at once. */
    cancelNow,
    /** Ends a subscription whose plan is over because it was not paid: it can be bought again, and is not charged late. */
    async endOverdue(userId: string, plan: PaidPlan): Promise<void> {
      const stored = await find(userId, plan)
      if (!stored || !isOverdue(stored, now())) return
      // It may have been paid a moment ago.
      await apply({ userId, plan, organizationId: stored.organizationId }, stored.providerId)
      const found = await find(userId, plan)
      if (found && isOverdue(found, now())) await cancelNow(userId, found)
    },
    /** Subscriptions to this plan that have not ended. */
    running: async (userId: string, plan: PaidPlan): Promise<StoredSubscription[]> =>
      (await store.subscriptionsOf(userId, plan)).filter(blocksPurchase),
    /** Cancels a subscription that has not been cancelled at the end of its period. */
    async cancelAtPeriodEnd(userId: string, { providerId, plan, organizationId }: StoredSubscription): Promise<void> {
      await provider.setCancelAtPeriodEnd(providerId)
      await apply({ userId, plan, organizationId }, providerId)
    },
    /** The plan that a call without one is about: the personal one, if it is subscribed to, or else that of an organization. */
    async planOf(userId: string): Promise<PaidPlan> {
      const personal = await find(userId, 'personal')
      if (personal && blocksPurchase(personal)) return 'personal'
      const business = await find(userId, 'business')
      return business && (blocksPurchase(business) || personal === null) ? 'business' : 'personal'
    },
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** A subscription that the provider does not know is not renewed: it ends with the period that was paid. */
const endUnknown = (stored: StoredSubscription, now: number): StoredSubscription =>
  stored.endedAt === null && stored.periodEnd <= now
    ? { ...stored, status: 'canceled', endedAt: stored.periodEnd }
    : stored
