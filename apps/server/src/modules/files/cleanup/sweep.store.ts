import type { DeleteQueryBuilder, DeleteResult, SelectQueryBuilder } from 'kysely'
import { limitSkipLocked } from '../../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { type RemovedFile, removeFiles } from '../uploads/removals.store.ts'
import { changeStorageUse } from '../uploads/storage-use.store.ts'

/** An upload whose row is deleted and whose bytes are deleted next. */
export interface RemovedUpload {
  readonly id: string
  readonly volume: string
}

interface IdleThresholds {
  readonly idleSince: number
  /** Guests use the storage of the session's creator, so their idle uploads are removed sooner. */
  readonly sessionIdleSince: number
}

type Rows<Table extends 'files' | 'uploads'> = SelectQueryBuilder<Tables, Table, { id: string }>

/** SQL that deletes expired rows. Several nodes may run it concurrently; each deletes different rows. */
export function createSweepStore(db: Database) {
  const removeSomeFiles = (limit: number, filter: (files: Rows<'files'>) => Rows<'files'>): Promise<RemovedFile[]> =>
    removeFiles(db, (files) =>
      files.where('id', 'in', (query) => limitSkipLocked(db, filter(query.selectFrom('files').select('id')), limit)),
    )

  /** Selects only uploads that did not become files. */
  const removeSomeUploads = (
    limit: number,
    filter: (uploads: Rows<'uploads'>) => Rows<'uploads'>,
  ): Promise<RemovedUpload[]> =>
    removeUploads(db, (uploads) =>
      uploads.where('id', 'in', (query) =>
        limitSkipLocked(db, filter(query.selectFrom('uploads').select('id').where('completed_at', 'is', null)), limit),
      ),
    )

  return {
    removeExpiredFiles: (now: number, limit: number): Promise<RemovedFile[]> =>
      removeSomeFiles(limit, (files) => files.where('expires_at', '<=', now).orderBy('expires_at')),

    /** Deletes the files of ended sessions. */
    removeFilesOfEndedSessions: (limit: number): Promise<RemovedFile[]> =>
      removeSomeFiles(limit, (files) =>
        files
          .where('session_id', 'is not', null)
          .where('session_id', 'not in', (open) => open.selectFrom('sessions').select('id')),
      ),

    /** Deletes the uploads of ended sessions; a chunk that is still arriving finds no upload. */
    removeUploadsOfEndedSessions: (limit: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(limit, (uploads) =>
        uploads
          .where('session_id', 'is not', null)
          .where('session_id', 'not in', (open) => open.selectFrom('sessions').select('id')),
      ),

    /** Deletes open uploads that have been idle since these times. */
    removeAbandonedUploads: (
      { idleSince, sessionIdleSince }: IdleThresholds,
      limit: number,
    ): Promise<RemovedUpload[]> =>
      removeSomeUploads(limit, (uploads) =>
        uploads
          .where((row) =>
            row.or([
              row('last_byte_at', '<=', idleSince),
              row.and([row('session_id', 'is not', null), row('last_byte_at', '<=', sessionIdleSince)]),
            ]),
          )
          .where('cancelled_at', 'is', null),
      ),

    /** Deletes open uploads of which no chunk is stored. */
    removeUnstartedUploads: (limit: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(limit, (uploads) =>
        uploads
          .where('cancelled_at', 'is', null)
          .where('id', 'not in', (stored) => stored.selectFrom('objects').select('file_id')),
      ),

    /** Deletes cancelled uploads that are too old for a late chunk. */
    removeCancelledUploads: (cancelledBefore: number, limit: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(limit, (uploads) => uploads.where('cancelled_at', '<=', cancelledBefore)),

    /** Deletes files of a user, with their shares. */
    removeFilesOf: (ownerId: string, limit: number): Promise<RemovedFile[]> =>
      removeSomeFiles(limit, (files) => files.where('owner_id', '=', ownerId)),

    /** Deletes uploads of a user, those that are cancelled included. */
    removeUploadsOf: (ownerId: string, limit: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(limit, (uploads) => uploads.where('owner_id', '=', ownerId)),

    /** The ids that belong to an upload or a file. */
    async findKnownIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const uploads = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute()
      const files = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
      return new Set([...uploads, ...files].map((row) => row.id))
    },
  }
}

type UploadDeletion = DeleteQueryBuilder<Tables, 'uploads', DeleteResult>

async function removeUploads(
  db: Database,
  filter: (uploads: UploadDeletion) => UploadDeletion,
): Promise<RemovedUpload[]> {
  return db.transaction().execute(async (transaction) => {
    const rows = await filter(transaction.deleteFrom('uploads'))
      .returning(['id', 'owner_id', 'volume', 'reserved_bytes', 'cancelled_at'])
      .execute()
    await releaseReservedStorage(transaction, rows)
    return rows.map(({ id, volume }) => ({ id, volume }))
  })
}

interface ReservingRow {
  readonly owner_id: string
  readonly reserved_bytes: number
  readonly cancelled_at: number | null
}

/**
 * Releases reserved storage; cancelled uploads have released theirs already. Always in the same order, to avoid
 * deadlocks.
 */
async function releaseReservedStorage(transaction: DatabaseTransaction, rows: readonly ReservingRow[]): Promise<void> {
  const reserving = rows.filter((row) => row.cancelled_at === null)
  for (const row of reserving.toSorted((one, other) => (one.owner_id < other.owner_id ? -1 : 1))) {
    const change = { userId: row.owner_id, usedBytes: 0, reservedBytes: -row.reserved_bytes }
    await changeStorageUse(transaction, change)
  }
}

export type SweepStore = ReturnType<typeof createSweepStore>
