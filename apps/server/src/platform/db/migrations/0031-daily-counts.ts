import type { ColumnDataType, CreateTableBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

const countedNames = [
  'active_users',
  'new_users',
  'uploads',
  'uploaded_bytes',
  'downloads',
  'downloaded_bytes',
  'shares',
  'sessions',
  'portals',
]

const failedNames = ['failed_sign_ins', 'refused_sign_ins', 'wrong_codes', 'wrong_pins']

/** What happened on each day, failed attempts by network, and when each user was last active. */
export const dailyCounts: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    await db.schema.alterTable('users').addColumn('active_day', 'text').execute()
    const counted = strictTable(db, 'daily_counts')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('shard', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_counts_key', ['day', 'shard'] as never)
    await addCounts(counted, int8, countedNames).execute()
    const failed = strictTable(db, 'failed_attempts')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('failed_attempts_key', ['day', 'network'] as never)
    await addCounts(failed, int8, failedNames).execute()
  },
}

const addCounts = (table: CreateTableBuilder<string>, type: ColumnDataType, names: readonly string[]) =>
  names.reduce((built, name) => built.addColumn(name, type, (column) => column.notNull().defaultTo(0)), table)
