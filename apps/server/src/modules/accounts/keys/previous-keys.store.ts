import { randomUUIDv7 } from 'node:crypto'
import { keyLimits } from '@sallyport/contract/server-limits'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'

interface WrappedKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

interface CurrentKey extends WrappedKey {
  /** When the key became current. */
  readonly createdAt: number
}

interface Replacement {
  readonly userId: string
  /** The key that is replaced. */
  readonly key: CurrentKey
  /** The previous key that becomes current. */
  readonly restoredId?: string
  readonly now: number
}

export interface PreviousKey extends WrappedKey {
  readonly id: string
  readonly replacedAt: number
}

/** SQL for previous wrapped account keys, which their owner can restore. */
export function createPreviousKeysStore(db: Database) {
  return {
    /** Lists the previous keys of the user, newest first. */
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

/**
 * Stores a key that is replaced. When the list is full, a key that was in use for less than an hour is not stored, and one
 * that was in use longer displaces the key with the shortest use. Keys that an attacker commits in a row therefore displace
 * neither the owner's last key nor the oldest one. A restored key is removed from the list.
 */
export async function addPrevious(
  transaction: DatabaseTransaction,
  { userId, key, restoredId, now }: Replacement,
): Promise<void> {
  const existing = await listPrevious(transaction, userId, now)
  const isFull = existing.length >= keyLimits.previous
  const isStored = !isFull || now - key.createdAt >= keyLimits.shortUseMs
  const removedId = restoredId ?? (isFull && isStored ? findShortestUsed(existing) : undefined)
  if (removedId !== undefined) await removePrevious(transaction, userId, removedId)
  if (!isStored) return
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

/**
 * Returns the id of the key with the shortest time in use, the oldest one on a tie. A key became current when the one before
 * it was replaced. The start of the oldest one is unknown, so it counts as the longest in use.
 */
function findShortestUsed(newestFirst: readonly PreviousKey[]): string {
  const used = newestFirst.map(({ id, replacedAt }, index) => {
    const earlier = newestFirst[index + 1]
    return { id, forMs: earlier ? replacedAt - earlier.replacedAt : Number.POSITIVE_INFINITY }
  })
  return used.reduce((shortest, other) => (other.forMs <= shortest.forMs ? other : shortest)).id
}

/** Deletes one previous key of the user, or all of them. */
export async function removePrevious(transaction: DatabaseTransaction, userId: string, id?: string): Promise<void> {
  const ofUser = transaction.deleteFrom('previous_account_keys').where('user_id', '=', userId)
  await (id === undefined ? ofUser : ofUser.where('id', '=', id)).execute()
}
