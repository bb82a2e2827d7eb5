import { isSqlite } from '../../../platform/db/dialect.ts'
import type { Database, Tables } from '../../../platform/db/schema.ts'

export type TestCheckout = Tables['test_checkouts']
type TestCharge = Tables['test_charges']

interface PayInput {
  readonly id: string
  readonly subscriptionId: string
  readonly now: number
  readonly startedAt: number
  readonly declinesLaterCharges: boolean
}

interface ChargeOptions {
  /** The seats once it is paid. */
  readonly quantity: number
  /** Whether the subscription has ended. */
  readonly isOver: boolean
}

/** SQL for the checkouts and subscriptions of the test provider. */
export function createTestBillingStore(db: Database) {
  return {
    async addCheckout(checkout: TestCheckout): Promise<void> {
      await db.insertInto('test_checkouts').values(checkout).execute()
    },
    async findCheckout(id: string): Promise<TestCheckout | null> {
      const found = db.selectFrom('test_checkouts').selectAll().where('id', '=', id)
      return (await found.executeTakeFirst()) ?? null
    },
    async removeOldCheckouts(expiredBefore: number): Promise<void> {
      await db.deleteFrom('test_checkouts').where('expires_at', '<', expiredBefore).execute()
    },
    async setExpiry(id: string, expiresAt: number): Promise<void> {
      await db
        .updateTable('test_checkouts')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .where('subscription_id', 'is', null)
        .execute()
    },
    /** Starts the subscription of an open checkout. False if it is paid or has expired, and then nothing changes. */
    pay: ({ id, subscriptionId, declinesLaterCharges, now, startedAt }: PayInput): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const paid = await transaction
          .updateTable('test_checkouts')
          .set({ subscription_id: subscriptionId })
          .where('id', '=', id)
          .where('subscription_id', 'is', null)
          .where('expires_at', '>', now)
          .returning(['price_cents', 'quantity'])
          .executeTakeFirst()
        if (!paid) return false
        await transaction
          .insertInto('test_subscriptions')
          .values({
            id: subscriptionId,
            price_cents: paid.price_cents,
            quantity: paid.quantity,
            declines_charges: Number(declinesLaterCharges),
            started_at: startedAt,
            ends_at: null,
          })
          .execute()
        return true
      }),
    findSubscription: (id: string) =>
      db.selectFrom('test_subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /**
     * Charges an order and sets the seats, once; the same order always gets the same answer. Returns false if it was
     * declined, as after the end of the subscription, and then the seats do not change.
     */
    charge: (charge: Omit<TestCharge, 'is_paid'>, { quantity, isOver }: ChargeOptions): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const subscriptions = transaction.selectFrom('test_subscriptions').select('declines_charges')
        const own = subscriptions.where('id', '=', charge.subscription_id)
        const { declines_charges } = await (isSqlite(db) ? own : own.forUpdate()).executeTakeFirstOrThrow()
        const charges = transaction.selectFrom('test_charges').select('is_paid')
        const former = await charges.where('order_id', '=', charge.order_id).executeTakeFirst()
        if (former) return former.is_paid === 1
        const isPaid = declines_charges === 0 && !isOver
        await transaction
          .insertInto('test_charges')
          .values({ ...charge, is_paid: Number(isPaid) })
          .execute()
        if (!isPaid) return false
        const seats = transaction.updateTable('test_subscriptions').set({ quantity })
        await seats.where('id', '=', charge.subscription_id).execute()
        return true
      }),
    async moveEnd(id: string, endsAt: number): Promise<void> {
      await db.updateTable('test_subscriptions').set({ ends_at: endsAt }).where('id', '=', id).execute()
    },
    async moveSubscription(id: string, { startedAt, endsAt }: { startedAt: number; endsAt: number | null }) {
      const values = { started_at: startedAt, ends_at: endsAt }
      await db.updateTable('test_subscriptions').set(values).where('id', '=', id).execute()
    },
    async endSubscription(id: string, endsAt: number): Promise<void> {
      await db
        .updateTable('test_subscriptions')
        .set({ ends_at: endsAt })
        .where('id', '=', id)
        .where('ends_at', 'is', null)
        .execute()
    },
  }
}

export type TestBillingStore = ReturnType<typeof createTestBillingStore>
