import { randomUUIDv7 } from 'node:crypto'
import { keyLimits } from '@sallyport/contract/server-limits'
import type { Database, DatabaseTransaction } from '../db/schema.ts'

interface WrappedKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

export interface PreviousKey extends WrappedKey {
  readonly id: string
  readonly replacedAt: number
}

/** SQL for wrapped account keys that were in use before, which their owner can restore. */
export function createPreviousKeysStore(db: Database) {
  return {
    /** The user's, latest first. */
    list: (userId: string, now: number): Promise<PreviousKey[]> => listPrevious(db, userId, now),

    async removeReplacedBefore(time: number): Promise<void> {
      await db.deleteFrom('previous_account_keys').where('replaced_at', '<=', time).execute()
    },
  }
}

export type PreviousKeysStore = ReturnType<typeof createPreviousKeysStore>

export const listPrevious = (db: Database | DatabaseTransaction, userId: string, now: number): Promise<PreviousKey[]> =>
  db
    .selectFrom('previous_account_keys')
    .select(['id', 'key_version as keyVersion', 'profile', 'wrapped_key as wrappedKey', 'replaced_at as replacedAt'])
    .where('user_id', '=', userId)
    .where('replaced_at', '>', now - keyLimits.previousMs)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Stores a key that is replaced. When there are too many, the latest gives way: the oldest cannot be pushed out. */
export async function addPrevious(
  transaction: DatabaseTransaction,
  { userId, key, now }: { readonly userId: string; readonly key: WrappedKey; readonly now: number },
): Promise<void> {
  const present = await listPrevious(transaction, userId, now)
  const [latest] = present
  if (latest && present.length >= keyLimits.previous) await removePrevious(transaction, userId, latest.id)
  await transaction
    .insertInto('previous_account_keys')
    .values({
      id: randomUUIDv7(),
      user_id: userId,
      key_version: key.keyVersion,
      profile: key.profile,
      wrapped_key: key.wrappedKey,
      replaced_at: now,
    })
    .execute()
}

/** Removes one of the user's previous keys, or all of them. */
export async function removePrevious(transaction: DatabaseTransaction, userId: string, id?: string): Promise<void> {
  const ofUser = transaction.deleteFrom('previous_account_keys').where('user_id', '=', userId)
  await (id === undefined ? ofUser : ofUser.where('id', '=', id)).execute()
}
