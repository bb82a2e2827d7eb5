import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

export const provider: Migration = {
  async up(db) {
    const int8 = bigintType(db)
    const times = [
      'confirmation_sent_at',
      'recovery_sent_at',
      'email_change_sent_at',
      'phone_change_sent_at',
      'reauthentication_sent_at',
      'invited_at',
      'deleted_at',
    ]
    for (const name of times) await db.schema.alterTable('users').addColumn(name, int8).execute()
    await db.schema.alterTable('users').addColumn('new_email', 'text').execute()
    await db.schema.alterTable('users').addColumn('new_phone', 'text').execute()
    await db.schema
      .alterTable('users')
      .addColumn('is_anonymous', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('sign_ins').addColumn('factor_id', 'text').execute()
    await db.schema.alterTable('sign_ins').addColumn('recovered_at', int8).execute()
    await strictTable(db, 'one_time_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('relates_to', 'text', (column) => column.notNull())
      .addColumn('link_hash', 'text', (column) => column.notNull().unique())
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('credential_hash', 'text')
      .addColumn('challenge', 'text')
      .addColumn('challenge_method', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('expires_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('one_time_tokens_user').on('one_time_tokens').columns(['user_id', 'kind']).execute()
    await db.schema.createIndex('one_time_tokens_address').on('one_time_tokens').column('relates_to').execute()
    await db.schema.createIndex('one_time_tokens_end').on('one_time_tokens').column('expires_at').execute()
    await strictTable(db, 'factors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('friendly_name', 'text')
      .addColumn('phone', 'text')
      .addColumn('sealed_secret', 'text')
      .addColumn('last_step', int8)
      .addColumn('verified_at', int8)
      .addColumn('last_challenged_at', int8)
      .addColumn('created_at', int8, (column) => column.notNull())
      .addColumn('updated_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('factors_user').on('factors').column('user_id').execute()
    await strictTable(db, 'factor_challenges')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('factor_id', 'text', (column) => column.notNull().references('factors.id').onDelete('cascade'))
      .addColumn('code_hash', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('expires_at', int8, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('factor_challenges_factor').on('factor_challenges').column('factor_id').execute()
    await db.schema.createIndex('factor_challenges_end').on('factor_challenges').column('expires_at').execute()
    await strictTable(db, 'backup_codes')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('salt', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('backup_codes_key', ['user_id', 'code_hash'] as never)
      .execute()
  },
}
