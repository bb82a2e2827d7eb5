import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** The events of a payment provider, and what is to be read from it again. */
export const paymentEvents: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema.alterTable('billing_subscriptions').addColumn('customer_id', 'text').execute()
    await strictTable(db, 'billing_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('received_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('billing_events_received').on('billing_events').column('received_at').execute()
    await strictTable(db, 'stale_payments')
      .addColumn('provider_id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('marks', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('stale_payments_due').on('stale_payments').column('due_at').execute()
  },
}
