import { type Selectable, sql } from 'kysely'
import { hasChanged } from '../../platform/db/count-rows.ts'
import { countOnDay } from '../../platform/db/daily-counts.ts'
import type { Database, Tables } from '../../platform/db/schema.ts'
import { type RemovedFile, removeFiles } from './uploads/removals.store.ts'
import { countDownloadsOf } from './uploads/storage-use.store.ts'
import { type StoredFileRecord, toStoredFileRecord } from './uploads/stored-file.store.ts'

export interface FileRecord extends StoredFileRecord {
  readonly downloads: number
  readonly isShared: boolean
  /** Encrypted under an account key that no longer exists. */
  readonly isLost: boolean
}

const batchRows = 500

/** SQL for the files of an account, without those in sessions. A file exists until the millisecond it expires. */
export function createFilesStore(db: Database) {
  const unexpiredFiles = (ownerId: string, now: number) =>
    db
      .selectFrom('files')
      .selectAll()
      .select((row) =>
        row
          .exists(row.selectFrom('shares').select('shares.id').whereRef('shares.file_id', '=', 'files.id'))
          .as('is_shared'),
      )
      .where('owner_id', '=', ownerId)
      .where('session_id', 'is', null)
      .where('expires_at', '>', now)

  return {
    /** Newest first. */
    async list(ownerId: string, now: number): Promise<FileRecord[]> {
      const rows = await unexpiredFiles(ownerId, now).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
      return rows.map(recordOf)
    },

    async find(ownerId: string, id: string, now: number): Promise<FileRecord | null> {
      const row = await unexpiredFiles(ownerId, now).where('id', '=', id).executeTakeFirst()
      return row ? recordOf(row) : null
    },

    /** True if the file exists. */
    async updateExpiry(ownerId: string, id: string, at: { readonly now: number; readonly expiresAt: number }) {
      return hasChanged(
        db
          .updateTable('files')
          .set({ expires_at: at.expiresAt })
          .where('owner_id', '=', ownerId)
          .where('session_id', 'is', null)
          .where('id', '=', id)
          .where('expires_at', '>', at.now),
      )
    },

    /** Deletes the row of a file and releases its storage. The bytes still exist afterwards. */
    async remove(ownerId: string, id: string): Promise<RemovedFile | null> {
      const [removed] = await removeFiles(db, (files) =>
        files.where('owner_id', '=', ownerId).where('session_id', 'is', null).where('id', '=', id),
      )
      return removed ?? null
    },

    async removeAll(ownerId: string): Promise<RemovedFile[]> {
      return removeFiles(db, (files) => files.where('owner_id', '=', ownerId).where('session_id', 'is', null))
    },

    async removeLost(ownerId: string): Promise<RemovedFile[]> {
      return removeFiles(db, (files) =>
        files.where('owner_id', '=', ownerId).where('session_id', 'is', null).where('lost', '=', 1),
      )
    },

    /** Counts a download of each of these files for their owner. Files that are deleted by now are left out. */
    async countDownloads(ownerId: string, ids: readonly string[], now: number): Promise<void> {
      for (let first = 0; first < ids.length; first += batchRows) {
        const batch = ids.slice(first, first + batchRows)
        await db.transaction().execute(async (transaction) => {
          const counted = await transaction
            .updateTable('files')
            .set({ downloads: sql<number>`downloads + 1` })
            .where('owner_id', '=', ownerId)
            .where('id', 'in', batch)
            .returning('plain_bytes')
            .execute()
          await countDownloadsOf(transaction, { userId: ownerId, by: 'owner', count: counted.length })
          await countOnDay(transaction, now, {
            downloads: counted.length,
            downloaded_bytes: counted.reduce((sum, { plain_bytes }) => sum + plain_bytes, 0),
          })
        })
      }
    },
  }
}

export type FilesStore = ReturnType<typeof createFilesStore>

const recordOf = (row: Selectable<Tables['files']> & { readonly is_shared: unknown }): FileRecord => ({
  ...toStoredFileRecord(row),
  downloads: row.downloads,
  isShared: Boolean(row.is_shared),
  isLost: row.lost === 1,
})
