import { DeletionStep } from '@sallyport/contract/admin'
import { deletionLimits } from '@sallyport/contract/server-limits'
import type { ExpressionBuilder } from 'kysely'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'

interface ClaimInput {
  /** Identifies the run. */
  readonly claim: string
  readonly now: number
  readonly leaseEnd: number
}

/** SQL for the deletions of users, whose rows end with those of the users. */
export function createUserDeletionsStore(db: Database) {
  const ofRun = (userId: string, claim: string) =>
    db.updateTable('user_deletions').where('user_id', '=', userId).where('claim', '=', claim)

  return {
    /** Begins the deletion of a user and ends all auth sessions. Returns false if it has begun before. */
    async begin(userId: string, now: number, transaction: DatabaseTransaction): Promise<boolean> {
      const users = transaction.updateTable('users').set({ deleting_since: now })
      await users.where('id', '=', userId).where('deleting_since', 'is', null).execute()
      const authSessions = transaction.updateTable('sign_ins').set({ not_after: now })
      await authSessions.where('user_id', '=', userId).where('not_after', '>', now).execute()
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('user_deletions')
        .values({ user_id: userId, step: 'sign-ins', claim: null, due_at: now, attempts: 0, error: null })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },
    /** How far a deletion is; null for a user who is not being deleted. */
    async find(userId: string) {
      const row = await db
        .selectFrom('user_deletions')
        .innerJoin('users', 'users.id', 'user_deletions.user_id')
        .select(['step', 'deleting_since', 'error'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row ? { step: DeletionStep.parse(row.step), since: row.deleting_since ?? 0, error: row.error } : null
    },
    async listDue(now: number, limit: number): Promise<string[]> {
      const due = db.selectFrom('user_deletions').select('user_id').where(isDue(now))
      return (await due.orderBy('due_at').limit(limit).execute()).map(({ user_id }) => user_id)
    },
    /** Claims a deletion that no run works on. Returns its step, and how often that has failed; null if there is none. */
    async claim(userId: string, { claim, now, leaseEnd }: ClaimInput) {
      const row = await db
        .updateTable('user_deletions')
        .set({ claim, due_at: leaseEnd, error: null })
        .where('user_id', '=', userId)
        .where((row) => row.or([row('claim', 'is', null), isDue(now)(row)]))
        .returning(['step', 'attempts'])
        .executeTakeFirst()
      return row ? { step: DeletionStep.parse(row.step), attempts: row.attempts } : null
    },
    async renew(userId: string, claim: string, leaseEnd: number): Promise<void> {
      await ofRun(userId, claim).set({ due_at: leaseEnd }).execute()
    },
    /** Stores that this step is next. Returns false if another run has claimed the deletion, or if it is complete. */
    async advance(userId: string, claim: string, step: DeletionStep): Promise<boolean> {
      return hasChanged(ofRun(userId, claim).set({ step, attempts: 0 }))
    },
    /** Ends a run whose step is not complete. */
    async release(
      userId: string,
      claim: string,
      outcome: { readonly attempts: number; readonly error: string | null; readonly due_at: number },
    ): Promise<void> {
      await ofRun(userId, claim)
        .set({ ...outcome, claim: null })
        .execute()
    },
  }
}

/** Whether a deletion is due. A time that is too late is from when the clock was ahead. */
const isDue = (now: number) => (row: ExpressionBuilder<Tables, 'user_deletions'>) =>
  row.or([row('due_at', '<=', now), row('due_at', '>', now + 2 * deletionLimits.maxRetryMs)])

export type UserDeletionsStore = ReturnType<typeof createUserDeletionsStore>
