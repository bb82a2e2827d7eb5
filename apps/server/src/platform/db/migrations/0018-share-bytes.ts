import type { Migration } from 'kysely/migration'
import { bigintType } from './columns.ts'

/** Limited shares count the bytes they serve. */
export const shareBytes: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema
      .alterTable('share_claims')
      .addColumn('served_bytes', int8, (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('shares')
      .addColumn('uncounted_bytes', int8, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
