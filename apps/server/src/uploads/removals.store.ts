import type { DatabaseTransaction, Tables } from '../db/schema.ts'
import { changeStorageUse } from './storage-use.store.ts'

/** A file whose row is gone; its bytes go next. */
export interface RemovedFile {
  readonly id: string
  readonly ownerId: string
  readonly volume: string
}

type RemovedRow = Pick<Tables['files'], 'id' | 'owner_id' | 'volume' | 'plain_bytes'>

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
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id, volume: row.volume }))
}
