import type { DatabaseTransaction } from '../db/schema.ts'

/**
 * Takes hold of an account's storage until the transaction ends, so that two of them cannot both see the same room.
 * Who locks rows of files or uploads as well locks those first.
 */
export async function lockStorageUse(transaction: DatabaseTransaction, userId: string) {
  const { used_bytes, reserved_bytes } = await transaction
    .insertInto('storage_use')
    .values({ user_id: userId, used_bytes: 0, reserved_bytes: 0 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ used_bytes: row.ref('storage_use.used_bytes') })),
    )
    .returning(['used_bytes', 'reserved_bytes'])
    .executeTakeFirstOrThrow()
  return { usedBytes: used_bytes, reservedBytes: reserved_bytes }
}

interface Reservation {
  readonly userId: string
  readonly bytes: number
  readonly limitBytes: number
}

/** True when the bytes were free and are now held. */
export async function reserveStorage(
  transaction: DatabaseTransaction,
  { userId, bytes, limitBytes }: Reservation,
): Promise<boolean> {
  const result = await transaction
    .updateTable('storage_use')
    .set((row) => ({ reserved_bytes: row('reserved_bytes', '+', bytes) }))
    .where('user_id', '=', userId)
    .where((row) => row(row('used_bytes', '+', row.ref('reserved_bytes')), '<=', limitBytes - bytes))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Books bytes as used. False, and nothing is booked, when they are not free. */
export async function takeStorage(
  transaction: DatabaseTransaction,
  { userId, bytes, limitBytes }: Reservation,
): Promise<boolean> {
  const { usedBytes, reservedBytes } = await lockStorageUse(transaction, userId)
  if (usedBytes + reservedBytes + bytes > limitBytes) return false
  await changeStorageUse(transaction, { userId, usedBytes: bytes, reservedBytes: 0 })
  return true
}

/** Gives the bytes of removed rows back to their accounts. */
export async function freeStorage(
  transaction: DatabaseTransaction,
  removed: readonly { readonly ownerId: string; readonly bytes: number }[],
): Promise<void> {
  const freed = new Map<string, number>()
  for (const { ownerId, bytes } of removed) freed.set(ownerId, (freed.get(ownerId) ?? 0) + bytes)
  // Always in the same order: two transactions that lock the same rows crosswise would block each other.
  for (const [userId, bytes] of [...freed].sort()) {
    await changeStorageUse(transaction, { userId, usedBytes: -bytes, reservedBytes: 0 })
  }
}

interface Change {
  readonly userId: string
  readonly usedBytes: number
  readonly reservedBytes: number
}

/** Adds to what is used and what is held; negative numbers give back. */
export async function changeStorageUse(
  transaction: DatabaseTransaction,
  { userId, usedBytes, reservedBytes }: Change,
): Promise<void> {
  await transaction
    .updateTable('storage_use')
    .set((row) => ({
      used_bytes: row('used_bytes', '+', usedBytes),
      reserved_bytes: row('reserved_bytes', '+', reservedBytes),
    }))
    .where('user_id', '=', userId)
    .execute()
}
