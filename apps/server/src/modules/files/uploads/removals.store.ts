import type { DeleteQueryBuilder, DeleteResult, Selectable } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { releaseStorage } from './storage-use.store.ts'

/** A file whose row is deleted and whose bytes are deleted next. */
export interface RemovedFile {
  readonly id: string
  readonly ownerId: string
  /** The session it belonged to; null for a file of its owner alone. */
  readonly sessionId: string | null
  readonly volume: string
  readonly plainBytes: number
}

const removedColumns = ['id', 'owner_id', 'session_id', 'volume', 'plain_bytes'] as const

type RemovedRow = Pick<Selectable<Tables['files']>, (typeof removedColumns)[number]>

const batchRows = 500

type FileDeletion = DeleteQueryBuilder<Tables, 'files', DeleteResult>

/** Deletes the selected file rows and releases their storage. The bytes still exist afterwards. */
export async function removeFiles(db: Database, filter: (files: FileDeletion) => FileDeletion): Promise<RemovedFile[]> {
  return db.transaction().execute(async (transaction) => {
    const rows = await filter(transaction.deleteFrom('files')).returning(removedColumns).execute()
    return finishRemovals(transaction, rows)
  })
}

async function finishRemovals(transaction: DatabaseTransaction, rows: readonly RemovedRow[]): Promise<RemovedFile[]> {
  for (let first = 0; first < rows.length; first += batchRows) {
    const ids = rows.slice(first, first + batchRows).map((row) => row.id)
    await transaction.deleteFrom('uploads').where('id', 'in', ids).execute()
  }
  await releaseStorage(
    transaction,
    rows.map((row) => ({ ownerId: row.owner_id, bytes: row.plain_bytes, isFile: true })),
  )
  return rows.map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    sessionId: row.session_id,
    volume: row.volume,
    plainBytes: row.plain_bytes,
  }))
}
