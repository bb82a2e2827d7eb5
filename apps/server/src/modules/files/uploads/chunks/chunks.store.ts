import { recordOverheadBytes } from '@sallyport/contract/limits'
import { countRows } from '../../../../platform/db/count-rows.ts'
import { countOnDay } from '../../../../platform/db/daily-counts.ts'
import { nonDurableTransaction } from '../../../../platform/db/non-durable-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../../platform/db/schema.ts'
import { changeStorageUse, lockStorageUse, reserveStorage } from '../storage-use.store.ts'
import type { StoredFileRecord } from '../stored-file.store.ts'

export interface ChunkRecord {
  readonly index: number
  readonly sealedBytes: number
  readonly checksum: number
}

export type ReceiveChunkResult =
  | { readonly outcome: 'received' }
  | { readonly outcome: 'completed' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'no-storage'; readonly occupiedBytes: number }

/** The file that a completed upload becomes. */
export interface CompletedFile extends Omit<StoredFileRecord, 'id' | 'volume'> {
  readonly objectCount: number
}

/** SQL for the chunks of an upload and for the file that they become. */
export function createChunksStore(db: Database) {
  return {
    /**
     * Records a received chunk and, for a third-party client, reserves its storage. The transaction is not durable:
     * after a power cut the chunk is missing and is sent again, which is cheaper than a second fsync for every chunk.
     */
    async receive(
      uploadId: string,
      chunk: ChunkRecord,
      at: { now: number; storageBytes: number },
    ): Promise<ReceiveChunkResult> {
      return nonDurableTransaction(db, (transaction) => receiveChunk(transaction, { uploadId, chunk, ...at }))
    },

    /** Deletes a chunk before it is replaced or because its bytes are missing. */
    async remove(uploadId: string, index: number): Promise<void> {
      await db.transaction().execute((transaction) => removeChunks(transaction, uploadId, index))
    },

    /** Deletes all chunks when it is unknown which of them reached the disk. */
    async removeAll(uploadId: string): Promise<void> {
      await db.transaction().execute((transaction) => removeChunks(transaction, uploadId))
    },

    async has(uploadId: string, index: number): Promise<boolean> {
      const found = await db
        .selectFrom('objects')
        .select('object_index')
        .where('file_id', '=', uploadId)
        .where('object_index', '=', index)
        .executeTakeFirst()
      return found !== undefined
    },

    /** The received chunks, by index. */
    async list(uploadId: string): Promise<ChunkRecord[]> {
      const rows = await db
        .selectFrom('objects')
        .select(['object_index', 'sealed_bytes', 'checksum'])
        .where('file_id', '=', uploadId)
        .orderBy('object_index')
        .execute()
      return rows.map((row) => ({ index: row.object_index, sealedBytes: row.sealed_bytes, checksum: row.checksum }))
    },

    /** Turns an upload into a file and its reserved storage into used storage. All of its chunks must still exist. */
    async complete(uploadId: string, file: CompletedFile): Promise<'completed' | 'closed' | 'changed'> {
      return db.transaction().execute((transaction) => completeUpload(transaction, uploadId, file))
    },
  }
}

interface ReceiveChunkInput {
  readonly uploadId: string
  readonly chunk: ChunkRecord
  readonly now: number
  readonly storageBytes: number
}

async function receiveChunk(
  transaction: DatabaseTransaction,
  { uploadId, chunk, now, storageBytes }: ReceiveChunkInput,
): Promise<ReceiveChunkResult> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.cancelled_at !== null) return { outcome: 'gone' }
  if (upload.completed_at !== null) return { outcome: 'completed' }

  const growth = upload.plain_bytes === null ? plainBytesOf(chunk.sealedBytes) : 0
  if (growth > 0) {
    const { usedBytes, reservedBytes } = await lockStorageUse(transaction, upload.owner_id)
    const reservation = { userId: upload.owner_id, bytes: growth, limitBytes: storageBytes }
    if (!(await reserveStorage(transaction, reservation))) {
      return { outcome: 'no-storage', occupiedBytes: usedBytes + reservedBytes }
    }
  }
  await updateUpload(transaction, uploadId, { last_byte_at: now, reserved_bytes: upload.reserved_bytes + growth })
  await transaction
    .insertInto('objects')
    .values({
      file_id: uploadId,
      object_index: chunk.index,
      sealed_bytes: chunk.sealedBytes,
      checksum: chunk.checksum,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['file_id', 'object_index'])
        .doUpdateSet({ sealed_bytes: chunk.sealedBytes, checksum: chunk.checksum }),
    )
    .execute()
  return { outcome: 'received' }
}

async function removeChunks(transaction: DatabaseTransaction, uploadId: string, index?: number): Promise<void> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.completed_at !== null) return
  const removed = await transaction
    .deleteFrom('objects')
    .where('file_id', '=', uploadId)
    .$if(index !== undefined, (query) => query.where('object_index', '=', index ?? 0))
    .returning('sealed_bytes')
    .execute()
  if (upload.plain_bytes !== null) return
  const bytes = removed.reduce((sum, chunk) => sum + plainBytesOf(chunk.sealed_bytes), 0)
  await updateUpload(transaction, uploadId, { reserved_bytes: upload.reserved_bytes - bytes })
  await changeStorageUse(transaction, { userId: upload.owner_id, usedBytes: 0, reservedBytes: -bytes })
}

/** Plaintext size of a third-party client's chunk, which is sealed as one record. */
const plainBytesOf = (sealedBytes: number): number => Math.max(0, sealedBytes - recordOverheadBytes)

async function completeUpload(
  transaction: DatabaseTransaction,
  uploadId: string,
  file: CompletedFile,
): Promise<'completed' | 'closed' | 'changed'> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.completed_at !== null || upload.cancelled_at !== null) return 'closed'
  const count = await countRows(transaction.selectFrom('objects').where('file_id', '=', uploadId))
  if (count !== file.objectCount) return 'changed'
  await updateUpload(transaction, uploadId, { completed_at: file.createdAt, reserved_bytes: 0 })
  await transaction
    .insertInto('files')
    .values({
      id: uploadId,
      owner_id: upload.owner_id,
      session_id: upload.session_id,
      sealed_name: file.sealedName,
      wrapped_key: file.wrappedKey,
      plain_bytes: file.plainBytes,
      sealed_bytes: file.sealedBytes,
      record_bytes: file.recordBytes,
      object_bytes: file.objectBytes,
      object_count: file.objectCount,
      volume: upload.volume,
      downloads: 0,
      created_at: file.createdAt,
      expires_at: file.expiresAt,
    })
    .execute()
  const change = {
    userId: upload.owner_id,
    usedBytes: file.plainBytes,
    reservedBytes: -upload.reserved_bytes,
    files: 1,
  }
  await changeStorageUse(transaction, change)
  await countOnDay(transaction, file.createdAt, { uploads: 1, uploaded_bytes: file.plainBytes })
  return 'completed'
}

async function updateUpload(
  transaction: DatabaseTransaction,
  id: string,
  change: Partial<Tables['uploads']>,
): Promise<void> {
  await transaction.updateTable('uploads').set(change).where('id', '=', id).execute()
}

/** Locks the row by writing it unchanged, which works on both databases. */
async function lockUpload(transaction: DatabaseTransaction, id: string): Promise<Tables['uploads'] | undefined> {
  return transaction
    .updateTable('uploads')
    .set((row) => ({ last_byte_at: row.ref('last_byte_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
