import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { DatabaseTransaction } from '../../../platform/db/schema.ts'

/**
 * Locks an account's storage until the transaction ends, so that concurrent transactions cannot both use the same
 * quota. Returns what is booked. Transactions that also lock rows of files or uploads lock those first.
 */
export async function lockStorageUse(transaction: DatabaseTransaction, userId: string) {
  const { used_bytes, reserved_bytes, file_count } = await transaction
    .insertInto('storage_use')
    .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ used_bytes: row.ref('storage_use.used_bytes') })),
    )
    .returning(['used_bytes', 'reserved_bytes', 'file_count'])
    .executeTakeFirstOrThrow()
  return { usedBytes: used_bytes, reservedBytes: reserved_bytes, files: file_count }
}

interface StorageReservation {
  readonly userId: string
  readonly bytes: number
  readonly limitBytes: number
}

/** Reserves bytes of the quota; false if they are not free. */
export async function reserveStorage(
  transaction: DatabaseTransaction,
  { userId, bytes, limitBytes }: StorageReservation,
): Promise<boolean> {
  return hasChanged(
    transaction
      .updateTable('storage_use')
      .set((row) => ({ reserved_bytes: row('reserved_bytes', '+', bytes) }))
      .where('user_id', '=', userId)
      .where((row) => row(row('used_bytes', '+', row.ref('reserved_bytes')), '<=', limitBytes - bytes)),
  )
}

/** Books bytes as used; false, without booking, if they are not free. */
export async function allocateStorage(
  transaction: DatabaseTransaction,
  { userId, bytes, limitBytes }: StorageReservation,
): Promise<boolean> {
  const { usedBytes, reservedBytes } = await lockStorageUse(transaction, userId)
  if (usedBytes + reservedBytes + bytes > limitBytes) return false
  await changeStorageUse(transaction, { userId, usedBytes: bytes, reservedBytes: 0 })
  return true
}

/** Releases the storage of deleted rows. */
export async function releaseStorage(
  transaction: DatabaseTransaction,
  removed: readonly { readonly ownerId: string; readonly bytes: number; readonly isFile?: boolean }[],
): Promise<void> {
  const freed = new Map<string, { bytes: number; files: number }>()
  for (const { ownerId, bytes, isFile = false } of removed) {
    const sum = freed.get(ownerId) ?? { bytes: 0, files: 0 }
    freed.set(ownerId, { bytes: sum.bytes + bytes, files: sum.files + Number(isFile) })
  }
  // Always in the same order, because transactions that lock the same rows in opposite orders would deadlock.
  for (const [userId, { bytes, files }] of [...freed].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await changeStorageUse(transaction, { userId, usedBytes: -bytes, reservedBytes: 0, files: -files })
  }
}

interface StorageUseChange {
  readonly userId: string
  readonly usedBytes: number
  readonly reservedBytes: number
  /** How many files are added; negative for removed ones. */
  readonly files?: number
}

/** Adds to used and reserved bytes and to the number of files; negative numbers release them. */
export async function changeStorageUse(
  transaction: DatabaseTransaction,
  { userId, usedBytes, reservedBytes, files = 0 }: StorageUseChange,
): Promise<void> {
  await transaction
    .updateTable('storage_use')
    .set((row) => ({
      used_bytes: row('used_bytes', '+', usedBytes),
      reserved_bytes: row('reserved_bytes', '+', reservedBytes),
      ...(files !== 0 && { file_count: row('file_count', '+', files) }),
      ...(files > 0 && { files_uploaded: row('files_uploaded', '+', files) }),
    }))
    .where('user_id', '=', userId)
    .execute()
}

interface CountedDownloads {
  /** The owner of the files. */
  readonly userId: string
  readonly by: 'owner' | 'share'
  readonly count: number
}

/** Counts downloads of files for their owner, who downloaded or shared them. */
export async function countDownloadsOf(
  transaction: DatabaseTransaction,
  { userId, by, count }: CountedDownloads,
): Promise<void> {
  const counter = by === 'owner' ? 'own_downloads' : 'share_downloads'
  await transaction
    .updateTable('storage_use')
    .set((row) => ({ [counter]: row(counter, '+', count) }))
    .where('user_id', '=', userId)
    .execute()
}
