import { PaidPlan } from '@sallyport/contract/billing'
import type { Database, Tables } from '../../platform/db/schema.ts'
import type { SubscriptionSnapshot } from './subscription.rules.ts'

export type StoredCheckout = Tables['billing_checkouts']
export type SubscriptionRow = Tables['billing_subscriptions']

export interface StoredSubscription extends SubscriptionSnapshot {
  readonly providerId: string
  readonly plan: PaidPlan
  /** Null for the personal plan. */
  readonly organizationId: string | null
}

interface StaleInput {
  readonly endedBefore: number
  readonly readBefore: number
  readonly after: string
  readonly limit: number
}

interface UpsertInput {
  readonly userId: string
  readonly subscription: StoredSubscription
  readonly now: number
}

/** SQL for checkouts and for subscriptions as the provider last described them. */
export function createBillingStore(db: Database) {
  return {
    async addCheckout(checkout: StoredCheckout): Promise<void> {
      await db.insertInto('billing_checkouts').values(checkout).execute()
    },
    openCheckoutsOf: (userId: string): Promise<StoredCheckout[]> =>
      db
        .selectFrom('billing_checkouts')
        .selectAll()
        .where('user_id', '=', userId)
        .where('state', '=', 'open')
        .orderBy('created_at', 'desc')
        .execute(),
    /** The open checkouts of all accounts after this id. */
    openCheckouts: (after: string, limit: number): Promise<StoredCheckout[]> =>
      db
        .selectFrom('billing_checkouts')
        .selectAll()
        .where('state', '=', 'open')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    async removeOldCheckouts(expiredBefore: number): Promise<void> {
      await db
        .deleteFrom('billing_checkouts')
        .where('state', '!=', 'open')
        .where('expires_at', '<', expiredBefore)
        .execute()
    },
    async findCheckout(providerId: string): Promise<StoredCheckout | null> {
      const found = db.selectFrom('billing_checkouts').selectAll().where('provider_id', '=', providerId)
      return (await found.executeTakeFirst()) ?? null
    },
    async findCheckoutById(id: string): Promise<StoredCheckout | null> {
      const found = db.selectFrom('billing_checkouts').selectAll().where('id', '=', id)
      return (await found.executeTakeFirst()) ?? null
    },
    async findSubscription(providerId: string): Promise<SubscriptionRow | null> {
      const found = db.selectFrom('billing_subscriptions').selectAll().where('provider_id', '=', providerId)
      return (await found.executeTakeFirst()) ?? null
    },
    /** How many subscriptions at Stripe have not ended. */
    async countRunningAtStripe(): Promise<number> {
      const running = db.selectFrom('billing_subscriptions').where('ended_at', 'is', null)
      return (await running.where('customer_id', 'is not', null).select('provider_id').execute()).length
    },
    async setCheckoutState(id: string, state: 'paid' | 'expired'): Promise<void> {
      await db.updateTable('billing_checkouts').set({ state }).where('id', '=', id).execute()
    },
    /** All subscriptions of the account to this plan, the newest first. */
    async subscriptionsOf(userId: string, plan: PaidPlan): Promise<StoredSubscription[]> {
      const rows = await db
        .selectFrom('billing_subscriptions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('plan', '=', plan)
        .orderBy('period_end', 'desc')
        .execute()
      return rows.map(toSubscription)
    },
    /** The subscriptions of several accounts to the personal plan, by user id. */
    async personalSubscriptionsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, StoredSubscription[]>> {
      const subscriptions = db.selectFrom('billing_subscriptions').selectAll().where('user_id', 'in', userIds)
      const rows = await subscriptions.where('plan', '=', 'personal').execute()
      const grouped = Map.groupBy(rows, ({ user_id }) => user_id)
      return new Map([...grouped].map(([userId, of]) => [userId, of.map(toSubscription)]))
    },
    /** The subscriptions of several organizations, the newest first, by organization id. */
    async subscriptionsOfOrganizations(ids: readonly string[]): Promise<ReadonlyMap<string, StoredSubscription[]>> {
      if (ids.length === 0) return new Map()
      const subscriptions = db.selectFrom('billing_subscriptions').selectAll().where('organization_id', 'in', ids)
      const rows = await subscriptions.orderBy('period_end', 'desc').execute()
      const grouped = Map.groupBy(rows, ({ organization_id }) => organization_id ?? '')
      return new Map([...grouped].map(([id, of]) => [id, of.map(toSubscription)]))
    },
    /**
     * Subscriptions after this id which had not ended when they were read, and whose period has ended since or which were
     * read long ago.
     */
    staleSubscriptions: ({ endedBefore, readBefore, after, limit }: StaleInput) =>
      db
        .selectFrom('billing_subscriptions')
        .select('provider_id')
        .where('ended_at', 'is', null)
        .where(({ eb, or }) => or([eb('period_end', '<=', endedBefore), eb('applied_at', '<=', readBefore)]))
        .where('provider_id', '>', after)
        .orderBy('provider_id')
        .limit(limit)
        .execute(),
    /** Stores what the provider said; the lock of the account orders the answers. */
    async upsertSubscription({ userId, subscription, now }: UpsertInput): Promise<void> {
      const { plan, organizationId } = subscription
      const values = {
        quantity: subscription.quantity,
        status: subscription.status,
        price_cents: subscription.priceCents,
        period_start: subscription.periodStart,
        period_end: subscription.periodEnd,
        cancel_at_period_end: Number(subscription.cancelsAtPeriodEnd),
        ended_at: subscription.endedAt,
        customer_id: subscription.customerId,
        applied_at: now,
      }
      await db
        .insertInto('billing_subscriptions')
        .values({
          provider_id: subscription.providerId,
          user_id: userId,
          plan,
          organization_id: organizationId,
          ...values,
        })
        .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(values))
        .execute()
    },
  }
}

export type BillingStore = ReturnType<typeof createBillingStore>

const toSubscription = (row: SubscriptionRow): StoredSubscription => ({
  providerId: row.provider_id,
  plan: PaidPlan.parse(row.plan),
  organizationId: row.organization_id,
  quantity: row.quantity,
  status: row.status,
  priceCents: row.price_cents,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  cancelsAtPeriodEnd: row.cancel_at_period_end === 1,
  endedAt: row.ended_at,
  customerId: row.customer_id,
})
