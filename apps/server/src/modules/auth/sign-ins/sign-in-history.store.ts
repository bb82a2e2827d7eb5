import { signInHistoryLimits } from '@sallyport/contract/auth-sessions'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'

type PastSignIn = Tables['sign_in_history']

/** Records a sign-in once, and removes the user's oldest ones beyond the limit. Returns false if it was recorded. */
export async function recordSignIn(transaction: DatabaseTransaction, signIn: PastSignIn): Promise<boolean> {
  const { user_id: userId } = signIn
  const added = transaction.insertInto('sign_in_history').values(signIn)
  const { numInsertedOrUpdatedRows: insertedRows } = await added
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  const newest = newestFirst(transaction, userId).select('id')
  await transaction.deleteFrom('sign_in_history').where('user_id', '=', userId).where('id', 'not in', newest).execute()
  return insertedRows === 1n
}

/** SQL for the list of a user's sign-ins, which outlives their auth sessions. */
export function createSignInHistoryStore(db: Database) {
  return {
    /** Lists the user's sign-ins since this time, latest first. */
    list: (userId: string, since: number): Promise<PastSignIn[]> =>
      newestFirst(db, userId).selectAll().where('signed_in_at', '>=', since).execute(),
    /** Removes up to `limit` sign-ins from before this time. */
    async removeExpired(before: number, limit: number): Promise<void> {
      const expired = db.selectFrom('sign_in_history').select('id').where('signed_in_at', '<', before).limit(limit)
      await db.deleteFrom('sign_in_history').where('id', 'in', expired).execute()
    },
  }
}

const newestFirst = (db: Database | DatabaseTransaction, userId: string) =>
  db
    .selectFrom('sign_in_history')
    .where('user_id', '=', userId)
    .orderBy('signed_in_at', 'desc')
    .orderBy('id', 'desc')
    .limit(signInHistoryLimits.entries)
