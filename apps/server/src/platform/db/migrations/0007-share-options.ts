import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const shareOptions: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema.alterTable('shares').addColumn('max_downloads', 'integer').execute()
    await db.schema.alterTable('shares').addColumn('label', 'text').execute()
    await db.schema.alterTable('shares').addColumn('last_download_at', int8).execute()
    await strictTable(db, 'share_claims')
      .addColumn('share_id', 'text', (column) => column.notNull().references('shares.id').onDelete('cascade'))
      .addColumn('claim_hash', 'text', (column) => column.notNull())
      .addColumn('held_until', int8, (column) => column.notNull())
      .addColumn('served_at', int8)
      .addPrimaryKeyConstraint('share_claims_key', ['share_id', 'claim_hash'] as never)
      .execute()
  },
}
