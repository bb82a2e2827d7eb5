import { randomUUIDv7 } from 'node:crypto'
import type { ActivityAction, ActivityEntry } from '@sallyport/contract/activity'
import { activityLimits } from '@sallyport/contract/activity'
import { activityLogLimits } from '@sallyport/contract/server-limits'
import { countChanged, hasChanged } from '../../../platform/db/count-rows.ts'
import { isSqlite, limitSkipLocked } from '../../../platform/db/dialect.ts'
import { nonDurableTransaction } from '../../../platform/db/non-durable-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'

export interface ActivityRecord {
  readonly userId: string
  readonly action: ActivityAction
  readonly at: number
  /** Null for an action that is not about files, and `bytes` for one whose size is not recorded. */
  readonly files: number | null
  readonly bytes: number | null
}

interface ListActivityOptions {
  readonly since: number
  readonly limit: number
}

/** SQL for what happened in accounts. A power cut may lose the last entries. */
export function createActivityStore(db: Database) {
  return {
    /** Stores entries and removes the oldest ones of their accounts beyond the limit. Deleted accounts are skipped. */
    async insert(records: readonly ActivityRecord[]): Promise<void> {
      await nonDurableTransaction(db, async (transaction) => {
        const userIds = await lockUsers(
          transaction,
          records.map(({ userId }) => userId),
        )
        // Always in the same order, because nodes that update the same rows in opposite orders would deadlock.
        for (const record of records.toSorted(byAccount)) {
          if (userIds.has(record.userId) && !(await addToRecent(transaction, record))) await insert(transaction, record)
        }
        for (const userId of userIds) await removeOldest(transaction, userId)
      })
    },

    /** Lists what happened in an account since this time, latest first. */
    async list(userId: string, { since, limit }: ListActivityOptions): Promise<ActivityEntry[]> {
      const rows = await newestFirst(db, userId).selectAll().where('at', '>=', since).limit(limit).execute()
      return rows.map(toEntry)
    },

    /** Removes up to `limit` entries from before this time; returns how many. */
    async removeExpired(before: number, limit: number): Promise<number> {
      const expired = db.selectFrom('account_activity').select('id').where('at', '<', before)
      return countChanged(db.deleteFrom('account_activity').where('id', 'in', limitSkipLocked(db, expired, limit)))
    },
  }
}

const byAccount = (one: ActivityRecord, other: ActivityRecord): number =>
  compare(one.userId, other.userId) || compare(one.action, other.action)

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other)

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Returns those of the users that exist. They cannot be deleted before the transaction ends. */
async function lockUsers(transaction: DatabaseTransaction, ids: readonly string[]): Promise<Set<string>> {
  const users = transaction.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id')
  const rows = await (isSqlite(transaction) ? users : users.forKeyShare()).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Adds to the sums of a recent entry with the same action. Returns false if there is none. */
async function addToRecent(
  transaction: DatabaseTransaction,
  { userId, action, at, files, bytes }: ActivityRecord,
): Promise<boolean> {
  if (files === null) return false
  const recent = newestFirst(transaction, userId)
    .select('id')
    .where('action', '=', action)
    .where('at', '>', at - activityLogLimits.mergeMs)
    .limit(1)
  return hasChanged(
    transaction
      .updateTable('account_activity')
      .set((row) => ({ files: row('files', '+', files), bytes: row('bytes', '+', bytes ?? 0) }))
      .where('id', 'in', recent),
  )
}

async function insert(transaction: DatabaseTransaction, { userId, ...record }: ActivityRecord): Promise<void> {
  await transaction
    .insertInto('account_activity')
    .values({ id: randomUUIDv7(), user_id: userId, ...record })
    .execute()
}

async function removeOldest(transaction: DatabaseTransaction, userId: string): Promise<void> {
  const newest = newestFirst(transaction, userId).select('id').limit(activityLimits.perAccount)
  await transaction.deleteFrom('account_activity').where('user_id', '=', userId).where('id', 'not in', newest).execute()
}

const newestFirst = (db: Database | DatabaseTransaction, userId: string) =>
  db.selectFrom('account_activity').where('user_id', '=', userId).orderBy('at', 'desc').orderBy('id', 'desc')

const toEntry = ({ action, at, files, bytes }: Tables['account_activity']): ActivityEntry => ({
  action: action as ActivityAction,
  timestamp: at,
  details: { ...(files !== null && { files }), ...(bytes !== null && { bytes }) },
})
