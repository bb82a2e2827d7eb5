import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { changeStorageUse, lockStorageUse } from '../uploads/storage-use.store.ts'

export interface StorageDrift {
  readonly userId: string
  /** How much too little was booked; negative if it was too much. */
  readonly usedBytes: number
  readonly reservedBytes: number
  readonly files: number
}

/** SQL that compares the booked storage of accounts with the size of their files, messages and uploads. */
export function createStorageCheckStore(db: Database) {
  const used = sql<number>`(
    coalesce((select sum(plain_bytes) from files where owner_id = storage_use.user_id), 0)
    + coalesce((select sum(bytes) from messages where owner_id = storage_use.user_id), 0)
    + coalesce((select sum(message_bytes) from sessions where creator_id = storage_use.user_id), 0)
  )`
  const reserved = sql<number>`coalesce((
    select sum(reserved_bytes) from uploads where owner_id = storage_use.user_id and cancelled_at is null
  ), 0)`
  const files = sql<number>`(select count(*) from files where owner_id = storage_use.user_id)`

  return {
    /** Accounts whose booking seems wrong; concurrent changes may cause false positives. */
    async findSuspects(): Promise<string[]> {
      const rows = await db
        .selectFrom('storage_use')
        .select('user_id')
        .where((row) =>
          row.or([
            row(used, '!=', row.ref('used_bytes')),
            row(reserved, '!=', row.ref('reserved_bytes')),
            row(files, '!=', row.ref('file_count')),
          ]),
        )
        .execute()
      return rows.map((row) => row.user_id)
    },

    /** Recounts under a lock and corrects the booking; null if it was right. */
    async correct(userId: string): Promise<StorageDrift | null> {
      return db.transaction().execute(async (transaction) => {
        await lockStorageUse(transaction, userId)
        const row = await transaction
          .selectFrom('storage_use')
          .select(['used_bytes', 'reserved_bytes', 'file_count'])
          .select([used.as('used'), reserved.as('reserved'), files.as('files')])
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        const usedBytes = row.used - row.used_bytes
        const reservedBytes = row.reserved - row.reserved_bytes
        const missingFiles = row.files - row.file_count
        if (usedBytes === 0 && reservedBytes === 0 && missingFiles === 0) return null
        await changeStorageUse(transaction, { userId, usedBytes, reservedBytes })
        await correctFileCount(transaction, userId, row.files)
        return { userId, usedBytes, reservedBytes, files: missingFiles }
      })
    },
  }
}

export type StorageCheckStore = ReturnType<typeof createStorageCheckStore>

async function correctFileCount(transaction: DatabaseTransaction, userId: string, files: number): Promise<void> {
  await transaction.updateTable('storage_use').set({ file_count: files }).where('user_id', '=', userId).execute()
}
