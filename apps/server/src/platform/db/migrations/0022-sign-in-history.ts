import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bigintType, strictTable } from './columns.ts'

/** The sign-ins of an account, which are listed after their auth sessions have ended. */
export const signInHistory: Migration = {
  async up(db) {
    await strictTable(db, 'sign_in_history')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('signed_in_at', bigintType(db), (column) => column.notNull())
      .addColumn('user_agent', 'text')
      .execute()
    await db.schema
      .createIndex('sign_in_history_user')
      .on('sign_in_history')
      .columns(['user_id', 'signed_in_at'])
      .execute()
    await db.schema.createIndex('sign_in_history_age').on('sign_in_history').column('signed_in_at').execute()
    await sql`
      insert into sign_in_history (id, user_id, signed_in_at, user_agent)
      select id, user_id, created_at, user_agent from sign_ins
    `.execute(db)
  },
}
