import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'

export type StalePayment = Tables['stale_payments']

/** A checkout or a subscription, by the provider's id. */
export interface Payment {
  readonly kind: 'checkout' | 'subscription'
  readonly providerId: string
}

interface ReceiveInput {
  readonly id: string
  readonly type: string
  readonly payment: Payment | null
  readonly now: number
}

/** SQL for what is to be read from the provider again, and for the events that say so. */
export function createStalePaymentsStore(db: Database) {
  return {
    /** Stores an event, and what it is about as stale, in one transaction. False if it was received before. */
    receive: ({ id, type, payment, now }: ReceiveInput): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const events = transaction.insertInto('billing_events').values({ id, type, received_at: now })
        const inserted = await events
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!inserted) return false
        if (payment) await mark(transaction, payment, now)
        return true
      }),
    /** Marks something as stale that is read again now, also if it is being read. */
    mark: (payment: Payment, now: number): Promise<void> => mark(db, payment, now),
    /** Marks what has not been marked. What could not be read waits as long as before. */
    async markOnce(payments: readonly Payment[], now: number): Promise<void> {
      if (payments.length === 0) return
      await db
        .insertInto('stale_payments')
        .values(payments.map((payment) => toRow(payment, now)))
        .onConflict((conflict) => conflict.column('provider_id').doNothing())
        .execute()
    },
    due: (now: number, limit: number): Promise<StalePayment[]> =>
      db
        .selectFrom('stale_payments')
        .selectAll()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('provider_id')
        .limit(limit)
        .execute(),
    /** Whether a row still says what it said. */
    async isUnchanged({ provider_id, marks, attempts }: StalePayment): Promise<boolean> {
      const row = db.selectFrom('stale_payments').select('due_at').where('provider_id', '=', provider_id)
      return (await row.where('marks', '=', marks).where('attempts', '=', attempts).executeTakeFirst()) !== undefined
    },
    /** Removes a row after a reading, unless it was marked during it. */
    async remove({ provider_id, marks }: StalePayment): Promise<void> {
      const row = db.deleteFrom('stale_payments').where('provider_id', '=', provider_id)
      await row.where('marks', '=', marks).execute()
    },
    /** Lets a row wait after a reading that failed, unless it was marked during it. */
    async postpone({ provider_id, marks, attempts }: StalePayment, dueAt: number): Promise<void> {
      const row = db.updateTable('stale_payments').set({ attempts: attempts + 1, due_at: dueAt })
      await row.where('provider_id', '=', provider_id).where('marks', '=', marks).execute()
    },
    async removeOldEvents(receivedBefore: number): Promise<void> {
      await db.deleteFrom('billing_events').where('received_at', '<', receivedBefore).execute()
    },
  }
}

export type StalePaymentsStore = ReturnType<typeof createStalePaymentsStore>

const toRow = ({ kind, providerId }: Payment, now: number): StalePayment => ({
  provider_id: providerId,
  kind,
  marks: 1,
  attempts: 0,
  due_at: now,
})

async function mark(db: Database | DatabaseTransaction, payment: Payment, now: number): Promise<void> {
  await db
    .insertInto('stale_payments')
    .values(toRow(payment, now))
    .onConflict((conflict) =>
      conflict.column('provider_id').doUpdateSet(({ eb }) => ({
        marks: eb('stale_payments.marks', '+', 1),
        attempts: 0,
        due_at: now,
      })),
    )
    .execute()
}
