import { randomUUIDv7 } from 'node:crypto'
import { keyLimits } from '@sallyport/contract/server-limits'
import type { Database, DatabaseTransaction } from '../db/schema.ts'

interface WrappedKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

interface KeyInUse extends WrappedKey {
  /** When it went into use. */
  readonly createdAt: number
}

interface Replacement {
  readonly userId: string
  /** The key that goes out of use. */
  readonly key: KeyInUse
  /** The previous key that goes into use. */
  readonly restoredId?: string
  readonly now: number
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

/**
 * Stores a key that is replaced. When there is no room, one that was in use for less than an hour is not stored, and a
 * longer used one displaces the key with the shortest use: keys that a thief commits one after the other displace neither
 * the owner's last key nor the oldest one. A key that is restored leaves its place.
 */
export async function addPrevious(
  transaction: DatabaseTransaction,
  { userId, key, restoredId, now }: Replacement,
): Promise<void> {
  const present = await listPrevious(transaction, userId, now)
  const isFull = present.length >= keyLimits.previous
  const isStored = !isFull || now - key.createdAt >= keyLimits.shortUseMs
  const leavingId = restoredId ?? (isFull && isStored ? shortestUsed(present) : undefined)
  if (leavingId !== undefined) await removePrevious(transaction, userId, leavingId)
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
 * The id of the oldest among those that were in use for the shortest time. A key went into use no sooner than the one before
 * it went out; nothing tells when the oldest did, so that it counts as the longest used.
 */
function shortestUsed(latestFirst: readonly PreviousKey[]): string {
  const used = latestFirst.map(({ id, replacedAt }, index) => {
    const earlier = latestFirst[index + 1]
    return { id, forMs: earlier ? replacedAt - earlier.replacedAt : Number.POSITIVE_INFINITY }
  })
  return used.reduce((shortest, other) => (other.forMs <= shortest.forMs ? other : shortest)).id
}

/** Removes one of the user's previous keys, or all of them. */
export async function removePrevious(transaction: DatabaseTransaction, userId: string, id?: string): Promise<void> {
  const ofUser = transaction.deleteFrom('previous_account_keys').where('user_id', '=', userId)
  await (id === undefined ? ofUser : ofUser.where('id', '=', id)).execute()
}
