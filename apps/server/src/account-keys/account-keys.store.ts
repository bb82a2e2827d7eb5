import { keyLimits } from '@sallyport/contract/server-limits'
import type { Database, DatabaseTransaction } from '../db/schema.ts'
import { addPrevious, listPrevious, removePrevious } from './previous-keys.store.ts'

export interface NewKey {
  readonly keyVersion: number
  readonly profile: number
  readonly wrappedKey: string
}

interface StoredKey extends NewKey {
  readonly slot: number
  /** When it was staged or, in the first slot, went into use. */
  readonly createdAt: number
}

const firstSlot = 1

/**
 * SQL for wrapped account keys. The first slot holds the one in use; while a password changes, others lie beside it.
 * A key of a later version is another account key.
 */
export function createAccountKeysStore(db: Database) {
  return {
    list: (userId: string): Promise<StoredKey[]> => listSlots(db, userId),

    /** Keeps the account's first key; false when the account has keys, which then stay as they are. */
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
     * Lays a key beside the one in use and answers its slot. Null when its version follows from no key that is there,
     * or when too many lie there already: none of them goes before it is old, since it may be the only one that opens.
     */
    async stage(userId: string, key: NewKey, now: number): Promise<number | null> {
      return db.transaction().execute(async (transaction) => {
        const [inUse, ...staged] = await lockSlots(transaction, userId)
        if (!inUse || (key.keyVersion !== inUse.keyVersion && key.keyVersion !== inUse.keyVersion + 1)) return null
        if (staged.length >= keyLimits.staged) {
          const old = staged.find(({ createdAt }) => createdAt <= now - keyLimits.stagedForMs)
          if (!old) return null
          await removeSlot(transaction, userId, old.slot)
        }
        const slot = (staged.at(-1)?.slot ?? inUse.slot) + 1
        await transaction
          .insertInto('account_keys')
          .values(rowOf(userId, { ...key, slot, createdAt: now }))
          .execute()
        return slot
      })
    },

    /**
     * Takes the key of a slot into use and drops the others, with every share that opens a remembered device. The one
     * that was in use becomes a previous key. Where it is another account key, the previous keys and the recovery key
     * go and the files of the earlier one count as lost. Answers how many files that are still there are lost, or null
     * when there is no such slot.
     */
    async commit(userId: string, slot: number, now: number): Promise<number | null> {
      return db.transaction().execute(async (transaction) => {
        const slots = await lockSlots(transaction, userId)
        const taken = slots.find((one) => one.slot === slot)
        if (!taken) return null
        const isAnother = slots.some(({ keyVersion }) => keyVersion < taken.keyVersion)
        const [inUse] = slots
        if (isAnother) await removePrevious(transaction, userId)
        else if (inUse && inUse.slot !== slot) await addPrevious(transaction, { userId, key: inUse, now })
        for (const other of slots) if (other.slot !== slot) await removeSlot(transaction, userId, other.slot)
        const since = inUse?.slot === slot ? inUse.createdAt : now
        const asFirst = { slot: firstSlot, created_at: since }
        await transaction.updateTable('account_keys').set(asFirst).where('user_id', '=', userId).execute()
        await transaction.deleteFrom('device_shares').where('user_id', '=', userId).execute()
        if (isAnother) await loseWhatWasSealed(transaction, userId)
        const { lost } = await transaction
          .selectFrom('files')
          .select((row) => row.fn.countAll().as('lost'))
          .where('owner_id', '=', userId)
          .where('lost', '=', 1)
          .where('expires_at', '>', now)
          .executeTakeFirstOrThrow()
        return Number(lost)
      })
    },

    /** Swaps the key in use for a previous one of the same account key and drops all others; false when there is none. */
    async restore(userId: string, id: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const [inUse] = await lockSlots(transaction, userId)
        const previous = (await listPrevious(transaction, userId, now)).find((one) => one.id === id)
        if (!inUse || previous?.keyVersion !== inUse.keyVersion) return false
        await addPrevious(transaction, { userId, key: inUse, restoredId: id, now })
        // It was in use before, so that replacing it again must not make it the first to go.
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

/** Writing to the rows, even what they hold already, keeps other changes of the same account waiting on both databases. */
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

async function loseWhatWasSealed(transaction: DatabaseTransaction, userId: string): Promise<void> {
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
