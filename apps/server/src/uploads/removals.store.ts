import type { Selectable } from 'kysely'
import type { DatabaseTransaction, Tables } from '../db/schema.ts'
import { changeStorageUse } from './storage-use.store.ts'

/** A file whose row is gone; its bytes go next. */
export interface RemovedFile {
  readonly id: string
  readonly ownerId: string
  /** The session it was in; null for a file of its owner alone. */
  readonly sessionId: string | null
  readonly volume: string
}

/** What a statement that removes files has to give back. */
export const removedColumns = ['id', 'owner_id', 'session_id', 'volume', 'plain_bytes'] as const

type RemovedRow = Pick<Selectable<Tables['files']>, (typeof removedColumns)[number]>

const rowsAtOnce = 500

/** Finishes the removal of files whose rows were deleted in this transaction: their bookkeeping and their storage. */
export async function settleRemovals(
  transaction: DatabaseTransaction,
  rows: readonly RemovedRow[],
): Promise<RemovedFile[]> {
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const ids = rows.slice(first, first + rowsAtOnce).map((row) => row.id)
    await transaction.deleteFrom('uploads').where('id', 'in', ids).execute()
  }
  const freed = new Map<string, number>()
  for (const row of rows) freed.set(row.owner_id, (freed.get(row.owner_id) ?? 0) + row.plain_bytes)
  // Always in the same order: two transactions that lock the same rows crosswise would block each other.
  for (const [userId, bytes] of [...freed].sort()) {
    await changeStorageUse(transaction, { userId, usedBytes: -bytes, reservedBytes: 0 })
  }
  return rows.map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    sessionId: row.session_id,
    volume: row.volume,
  }))
}
