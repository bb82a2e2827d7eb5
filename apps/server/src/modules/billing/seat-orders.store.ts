import type { Database, Tables } from '../../platform/db/schema.ts'

export type SeatOrder = Tables['seat_orders']

interface RecentInput {
  readonly subscriptionId: string
  readonly additionalSeats: number
  readonly since: number
}

/** SQL for orders of more seats. */
export function createSeatOrdersStore(db: Database) {
  const ordersOf = (subscriptionId: string) =>
    db.selectFrom('seat_orders').selectAll().where('subscription_id', '=', subscriptionId)

  return {
    async add(order: SeatOrder): Promise<void> {
      await db.insertInto('seat_orders').values(order).execute()
    },
    async find(subscriptionId: string, requestKey: string): Promise<SeatOrder | null> {
      return (await ordersOf(subscriptionId).where('request_key', '=', requestKey).executeTakeFirst()) ?? null
    },
    /** The last order of as many seats since this time that was neither declined nor left to the bank. */
    async findRecent({ subscriptionId, additionalSeats, since }: RecentInput): Promise<SeatOrder | null> {
      const orders = ordersOf(subscriptionId)
        .where('state', 'in', ['pending', 'done'])
        .where('created_at', '>', since)
        .where((order) => order.eb('to_quantity', '=', order.eb('from_quantity', '+', additionalSeats)))
      return (await orders.orderBy('created_at', 'desc').executeTakeFirst()) ?? null
    },
    pendingOf: (subscriptionId: string): Promise<SeatOrder[]> =>
      ordersOf(subscriptionId).where('state', '=', 'pending').orderBy('created_at').execute(),
    /** Owners with orders that were interrupted, after this user id. */
    async interruptedOwners(after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('seat_orders')
        .innerJoin('billing_subscriptions', 'provider_id', 'subscription_id')
        .select('user_id')
        .distinct()
        .where('state', '=', 'pending')
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** The subscriptions whose buyers may confirm a payment since this time. */
    async unconfirmedSubscriptions(since: number): Promise<string[]> {
      const orders = db.selectFrom('seat_orders').select('subscription_id').distinct()
      const rows = await orders.where('state', '=', 'unconfirmed').where('created_at', '>', since).execute()
      return rows.map(({ subscription_id }) => subscription_id)
    },
    async setState(id: string, state: 'done' | 'declined' | 'unconfirmed'): Promise<void> {
      await db.updateTable('seat_orders').set({ state }).where('id', '=', id).execute()
    },
  }
}

export type SeatOrdersStore = ReturnType<typeof createSeatOrdersStore>
