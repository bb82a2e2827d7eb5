import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** Organizations with their members and invitations, and the seats that are paid for. */
export const organizations: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await strictTable(db, 'organizations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('owner_id', 'text', (column) => column.notNull().unique().references('users.id').onDelete('cascade'))
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
    await strictTable(db, 'organization_members')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('joined_at', int8, (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('organization_members_organization')
      .on('organization_members')
      .columns(['organization_id', 'joined_at', 'user_id'])
      .execute()
    await strictTable(db, 'organization_invitations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('invited_by', 'text', (column) => column.references('users.id').onDelete('set null'))
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('sent_at', int8, (column) => column.notNull())
      .addColumn('expires_at', int8, (column) => column.notNull())
      .addUniqueConstraint('organization_invitations_address', ['organization_id', 'email'])
      .execute()
    await db.schema
      .createIndex('organization_invitations_email')
      .on('organization_invitations')
      .column('email')
      .execute()
    for (const table of ['billing_checkouts', 'billing_subscriptions']) {
      await db.schema
        .alterTable(table)
        .addColumn('plan', 'text', (column) => column.notNull().defaultTo('personal'))
        .execute()
      await db.schema
        .alterTable(table)
        .addColumn('quantity', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
      await db.schema.alterTable(table).addColumn('organization_id', 'text').execute()
    }
    await db.schema.alterTable('billing_checkouts').addColumn('organization_name', 'text').execute()
    await db.schema
      .createIndex('billing_subscriptions_organization')
      .on('billing_subscriptions')
      .column('organization_id')
      .execute()
    await strictTable(db, 'seat_orders')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subscription_id', 'text', (column) =>
        column.notNull().references('billing_subscriptions.provider_id').onDelete('cascade'),
      )
      .addColumn('request_key', 'text', (column) => column.notNull())
      .addColumn('from_quantity', 'integer', (column) => column.notNull())
      .addColumn('to_quantity', 'integer', (column) => column.notNull())
      .addColumn('charged_cents', 'integer', (column) => column.notNull())
      .addColumn('prorated_at', int8, (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addUniqueConstraint('seat_orders_request', ['subscription_id', 'request_key'])
      .execute()
    await db.schema.createIndex('seat_orders_state').on('seat_orders').column('state').execute()
    for (const table of ['test_checkouts', 'test_subscriptions'])
      await db.schema
        .alterTable(table)
        .addColumn('quantity', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
    await db.schema
      .alterTable('test_subscriptions')
      .addColumn('declines_charges', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await strictTable(db, 'test_charges')
      .addColumn('order_id', 'text', (column) => column.primaryKey())
      .addColumn('subscription_id', 'text', (column) => column.notNull())
      .addColumn('cents', 'integer', (column) => column.notNull())
      .addColumn('is_paid', 'integer', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .execute()
  },
}
