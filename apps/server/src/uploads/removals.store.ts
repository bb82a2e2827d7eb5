import type { DeleteQueryBuilder, DeleteResult, Selectable } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { freeStorage } from './storage-use.store.ts'

/** A file whose row is gone; its bytes go next. */
export interface RemovedFile {
  readonly id: string
  readonly ownerId: string
  /** The session it was in; null for a file of its owner alone. */
  readonly sessionId: string | null
  readonly volume: string
}

const removedColumns = ['id', 'owner_id', 'session_id', 'volume', 'plain_bytes'] as const

type RemovedRow = Pick<Selectable<Tables['files']>, (typeof removedColumns)[number]>

const rowsAtOnce = 500

type FileDeletion = DeleteQueryBuilder<Tables, 'files', DeleteResult>

/** Takes the chosen files out of every list and gives their storage back; their bytes are still there. */
export async function removeFiles(db: Database, choose: (files: FileDeletion) => FileDeletion): Promise<RemovedFile[]> {
  return db.transaction().execute(async (transaction) => {
    const rows = await choose(transaction.deleteFrom('files')).returning(removedColumns).execute()
    return settleRemovals(transaction, rows)
  })
}

async function settleRemovals(transaction: DatabaseTransaction, rows: readonly RemovedRow[]): Promise<RemovedFile[]> {
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const ids = rows.slice(first, first + rowsAtOnce).map((row) => row.id)
    await transaction.deleteFrom('uploads').where('id', 'in', ids).execute()
  }
  await freeStorage(
    transaction,
    rows.map((row) => ({ ownerId: row.owner_id, bytes: row.plain_bytes })),
  )
  return rows.map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    sessionId: row.session_id,
    volume: row.volume,
  }))
}
