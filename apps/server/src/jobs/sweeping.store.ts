import type { DeleteQueryBuilder, DeleteResult, SelectQueryBuilder } from 'kysely'
import { takeSome } from '../db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { type RemovedFile, removeFiles } from '../uploads/removals.store.ts'
import { changeStorageUse } from '../uploads/storage-use.store.ts'

/** An upload whose row is gone; its bytes go next. */
export interface RemovedUpload {
  readonly id: string
  readonly volume: string
}

interface Silence {
  readonly silentSince: number
  /** Guests hold the storage of somebody else, so they hold it for less time. */
  readonly silentInSessionSince: number
}

type Rows<Table extends 'files' | 'uploads'> = SelectQueryBuilder<Tables, Table, { id: string }>

/** SQL that removes what has had its time. Several nodes may do so at once; each takes what no other has taken. */
export function createSweepingStore(db: Database) {
  const removeSomeFiles = (most: number, narrow: (files: Rows<'files'>) => Rows<'files'>): Promise<RemovedFile[]> =>
    removeFiles(db, (files) =>
      files.where('id', 'in', (query) => takeSome(db, narrow(query.selectFrom('files').select('id')), most)),
    )

  /** Of those that have become no file. */
  const removeSomeUploads = (
    most: number,
    narrow: (uploads: Rows<'uploads'>) => Rows<'uploads'>,
  ): Promise<RemovedUpload[]> =>
    removeUploads(db, (uploads) =>
      uploads.where('id', 'in', (query) =>
        takeSome(db, narrow(query.selectFrom('uploads').select('id').where('completed_at', 'is', null)), most),
      ),
    )

  return {
    removeExpiredFiles: (now: number, most: number): Promise<RemovedFile[]> =>
      removeSomeFiles(most, (files) => files.where('expires_at', '<=', now).orderBy('expires_at')),

    /** Files of sessions that are over. */
    removeFilesOfEndedSessions: (most: number): Promise<RemovedFile[]> =>
      removeSomeFiles(most, (files) =>
        files
          .where('session_id', 'is not', null)
          .where('session_id', 'not in', (open) => open.selectFrom('sessions').select('id')),
      ),

    /** Uploads for sessions that are over; a chunk of theirs that is on its way finds nothing to belong to. */
    removeUploadsOfEndedSessions: (most: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(most, (uploads) =>
        uploads
          .where('session_id', 'is not', null)
          .where('session_id', 'not in', (open) => open.selectFrom('sessions').select('id')),
      ),

    /** Uploads nothing has come for since these times, and which are neither complete nor cancelled. */
    removeAbandonedUploads: ({ silentSince, silentInSessionSince }: Silence, most: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(most, (uploads) =>
        uploads
          .where((row) =>
            row.or([
              row('last_byte_at', '<=', silentSince),
              row.and([row('session_id', 'is not', null), row('last_byte_at', '<=', silentInSessionSince)]),
            ]),
          )
          .where('cancelled_at', 'is', null),
      ),

    /** Cancelled uploads that no chunk can be late for any more. */
    forgetCancelledUploads: (cancelledBefore: number, most: number): Promise<RemovedUpload[]> =>
      removeSomeUploads(most, (uploads) => uploads.where('cancelled_at', '<=', cancelledBefore)),

    /** Which of these ids stand for an upload or a file. */
    async knownIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const uploads = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute()
      const files = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
      return new Set([...uploads, ...files].map((row) => row.id))
    },
  }
}

type UploadDeletion = DeleteQueryBuilder<Tables, 'uploads', DeleteResult>

async function removeUploads(
  db: Database,
  choose: (uploads: UploadDeletion) => UploadDeletion,
): Promise<RemovedUpload[]> {
  return db.transaction().execute(async (transaction) => {
    const rows = await choose(transaction.deleteFrom('uploads'))
      .returning(['id', 'owner_id', 'volume', 'reserved_bytes', 'cancelled_at'])
      .execute()
    await giveBackReserved(transaction, rows)
    return rows.map(({ id, volume }) => ({ id, volume }))
  })
}

interface ReservingRow {
  readonly owner_id: string
  readonly reserved_bytes: number
  readonly cancelled_at: number | null
}

/** What was cancelled has given its storage back before. Always in the same order, so that nobody waits crosswise. */
async function giveBackReserved(transaction: DatabaseTransaction, rows: readonly ReservingRow[]): Promise<void> {
  const holding = rows.filter((row) => row.cancelled_at === null)
  for (const row of holding.toSorted((one, other) => (one.owner_id < other.owner_id ? -1 : 1))) {
    const change = { userId: row.owner_id, usedBytes: 0, reservedBytes: -row.reserved_bytes }
    await changeStorageUse(transaction, change)
  }
}

export type SweepingStore = ReturnType<typeof createSweepingStore>
