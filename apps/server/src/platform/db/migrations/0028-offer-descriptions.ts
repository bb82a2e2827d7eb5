import type { Migration } from 'kysely/migration'

/** What admins note about an invitation. */
export const offerDescriptions: Migration = {
  async up(db) {
    await db.schema.alterTable('licence_offers').addColumn('description', 'text').execute()
    await db.schema.createIndex('licence_offers_created').on('licence_offers').columns(['created_at', 'id']).execute()
  },
}
