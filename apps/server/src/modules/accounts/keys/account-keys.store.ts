import { keyLimits } from '@sallyport/contract/server-limits'
import { countRows } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { addPrevious, listPrevious, removePrevious } from './previous-keys.store.ts'

export interface NewKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

interface StoredKey extends NewKey {
  readonly slot: number
  /** When the key was staged or, in the first slot, became current. */
  readonly createdAt: number
}

const firstSlot = 1

/**
 * SQL for wrapped account keys. The first slot holds the current key; during a password change further slots hold staged
 * keys. A higher key version means a different account key.
 */
export function createAccountKeysStore(db: Database) {
  return {
    list: (userId: string): Promise<StoredKey[]> => listSlots(db, userId),

    /** Inserts the account's first key. Returns false, and changes nothing, if the account has keys. */
    async create(userId: string, key: NewKey, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if ((await listSlots(transaction, userId)).length > 0) return false
        const created = await transaction
          .insertInto('account_keys')
          .values(rowOf(userId, { ...key, slot: firstSlot, createdAt: now }))
          .onConflict((conflict) => conflict.doNothing())
          .returning('slot')
          .executeTakeFirst()
        return created !== undefined
      })
    },

    /**
     * Stages a key and returns its slot. Returns null if its version does not follow the current one, or if too many keys
     * are staged: a staged key is removed only when it is old, since it may be the only one that the user can unwrap.
     */
    async stage(userId: string, key: NewKey, now: number): Promise<number | null> {
      return db.transaction().execute(async (transaction) => {
        const [current, ...staged] = await lockSlots(transaction, userId)
        if (!current || (key.keyVersion !== current.keyVersion && key.keyVersion !== current.keyVersion + 1))
          return null
        if (staged.length >= keyLimits.staged) {
          const old = staged.find(({ createdAt }) => createdAt <= now - keyLimits.stagedForMs)
          if (!old) return null
          await removeSlot(transaction, userId, old.slot)
        }
        const slot = (staged.at(-1)?.slot ?? current.slot) + 1
        await transaction
          .insertInto('account_keys')
          .values(rowOf(userId, { ...key, slot, createdAt: now }))
          .execute()
        return slot
      })
    },

    /**
     * Makes the key of a slot current, deletes the other slots and all device shares of the account. The former current
     * key becomes a previous key. If the account key itself changes, the previous keys and the recovery key are deleted
     * and the existing files are marked as lost. Returns the number of lost files that have not expired, or null if the
     * slot does not exist.
     */
    async commit(userId: string, slot: number, now: number): Promise<number | null> {
      return db.transaction().execute(async (transaction) => {
        const slots = await lockSlots(transaction, userId)
        const selected = slots.find((one) => one.slot === slot)
        if (!selected) return null
        const isNewAccountKey = slots.some(({ keyVersion }) => keyVersion < selected.keyVersion)
        const [current] = slots
        if (isNewAccountKey) await removePrevious(transaction, userId)
        else if (current && current.slot !== slot) await addPrevious(transaction, { userId, key: current, now })
        for (const other of slots) if (other.slot !== slot) await removeSlot(transaction, userId, other.slot)
        const becameCurrentAt = current?.slot === slot ? current.createdAt : now
        const firstSlotValues = { slot: firstSlot, created_at: becameCurrentAt }
        await transaction.updateTable('account_keys').set(firstSlotValues).where('user_id', '=', userId).execute()
        await transaction.deleteFrom('device_shares').where('user_id', '=', userId).execute()
        if (isNewAccountKey) await markFilesLost(transaction, userId)
        return countRows(
          transaction
            .selectFrom('files')
            .where('owner_id', '=', userId)
            .where('lost', '=', 1)
            .where('expires_at', '>', now),
        )
      })
    },

    /**
     * Swaps the current key with a previous one of the same account key and deletes all staged keys. Returns false if there
     * is none.
     */
    async restore(userId: string, id: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const [current] = await lockSlots(transaction, userId)
        const previous = (await listPrevious(transaction, userId, now)).find((one) => one.id === id)
        if (!current || previous?.keyVersion !== current.keyVersion) return false
        await addPrevious(transaction, { userId, key: current, restoredId: id, now })
        // The key has been in use before, so replacing it again must not make it the first candidate for removal.
        const createdAt = now - keyLimits.shortUseMs
        await transaction.deleteFrom('account_keys').where('user_id', '=', userId).execute()
        await transaction
          .insertInto('account_keys')
          .values(rowOf(userId, { ...previous, slot: firstSlot, createdAt }))
          .execute()
        await transaction.deleteFrom('device_shares').where('user_id', '=', userId).execute()
        return true
      })
    },
  }
}

export type AccountKeysStore = ReturnType<typeof createAccountKeysStore>

const listSlots = (db: Database | DatabaseTransaction, userId: string): Promise<StoredKey[]> =>
  db
    .selectFrom('account_keys')
    .select(['slot', 'key_version as keyVersion', 'profile', 'wrapped_key as wrappedKey', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('slot')
    .execute()

/** Locks the rows on both databases by an update that changes nothing. */
async function lockSlots(transaction: DatabaseTransaction, userId: string): Promise<StoredKey[]> {
  await transaction
    .updateTable('account_keys')
    .set((column) => ({ created_at: column.ref('created_at') }))
    .where('user_id', '=', userId)
    .execute()
  return listSlots(transaction, userId)
}

async function removeSlot(transaction: DatabaseTransaction, userId: string, slot: number): Promise<void> {
  await transaction.deleteFrom('account_keys').where('user_id', '=', userId).where('slot', '=', slot).execute()
}

async function markFilesLost(transaction: DatabaseTransaction, userId: string): Promise<void> {
  await transaction.deleteFrom('recovery_keys').where('user_id', '=', userId).execute()
  await transaction
    .updateTable('files')
    .set({ lost: 1 })
    .where('owner_id', '=', userId)
    .where('session_id', 'is', null)
    .execute()
}

const rowOf = (userId: string, { slot, keyVersion, profile, wrappedKey, createdAt }: StoredKey) => ({
  user_id: userId,
  slot,
  key_version: keyVersion,
  profile,
  wrapped_key: wrappedKey,
  created_at: createdAt,
})
