import { recordOverheadBytes } from '@sallyport/contract/limits'
import { quickTransaction } from '../db/quick-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { changeStorageUse, lockStorageUse, reserveStorage } from './storage-use.store.ts'

export interface ChunkRecord {
  readonly index: number
  readonly sealedBytes: number
  readonly checksum: number
}

export type Receipt =
  | { readonly outcome: 'received' }
  | { readonly outcome: 'completed' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'no-storage'; readonly takenBytes: number }

/** What an upload turns into. */
export interface CompletedFile {
  readonly sealedName: string
  readonly wrappedKey: string
  readonly plainBytes: number
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed bytes of every object but the last. */
  readonly objectBytes: number
  readonly objectCount: number
  readonly completedAt: number
  readonly expiresAt: number
}

/** SQL for the chunks an upload has received, and for the file they become. */
export function createChunksStore(db: Database) {
  return {
    /**
     * Makes a chunk part of its upload; a foreign client's chunk takes its storage here. When a power cut takes this
     * back, the chunk is missing and comes again; that is better than to let every chunk wait for the disk twice.
     */
    async receive(uploadId: string, chunk: ChunkRecord, at: { now: number; storageBytes: number }): Promise<Receipt> {
      return quickTransaction(db, (transaction) => receiveChunk(transaction, { uploadId, chunk, ...at }))
    },

    /** Takes a chunk back, before another takes its place or because its bytes are gone. */
    async forget(uploadId: string, index: number): Promise<void> {
      await db.transaction().execute((transaction) => forgetChunks(transaction, uploadId, index))
    },

    /** Takes all chunks back, when nobody can tell any more which of them are on the disk. */
    async forgetAll(uploadId: string): Promise<void> {
      await db.transaction().execute((transaction) => forgetChunks(transaction, uploadId))
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

    /** The chunks that have arrived, in order. */
    async list(uploadId: string): Promise<ChunkRecord[]> {
      const rows = await db
        .selectFrom('objects')
        .select(['object_index', 'sealed_bytes', 'checksum'])
        .where('file_id', '=', uploadId)
        .orderBy('object_index')
        .execute()
      return rows.map((row) => ({ index: row.object_index, sealedBytes: row.sealed_bytes, checksum: row.checksum }))
    },

    /** Turns an upload into a file and what it held into what is used; all of its chunks have to be there still. */
    async complete(uploadId: string, file: CompletedFile): Promise<'completed' | 'closed' | 'changed'> {
      return db.transaction().execute((transaction) => completeUpload(transaction, uploadId, file))
    },
  }
}

interface Arrival {
  readonly uploadId: string
  readonly chunk: ChunkRecord
  readonly now: number
  readonly storageBytes: number
}

async function receiveChunk(
  transaction: DatabaseTransaction,
  { uploadId, chunk, now, storageBytes }: Arrival,
): Promise<Receipt> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.cancelled_at !== null) return { outcome: 'gone' }
  if (upload.completed_at !== null) return { outcome: 'completed' }

  const growth = upload.plain_bytes === null ? plainBytesOf(chunk.sealedBytes) : 0
  if (growth > 0) {
    const { usedBytes, reservedBytes } = await lockStorageUse(transaction, upload.owner_id)
    const reservation = { userId: upload.owner_id, bytes: growth, limitBytes: storageBytes }
    if (!(await reserveStorage(transaction, reservation))) {
      return { outcome: 'no-storage', takenBytes: usedBytes + reservedBytes }
    }
  }
  await transaction
    .updateTable('uploads')
    .set({ last_byte_at: now, reserved_bytes: upload.reserved_bytes + growth })
    .where('id', '=', uploadId)
    .execute()
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

async function forgetChunks(transaction: DatabaseTransaction, uploadId: string, index?: number): Promise<void> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.completed_at !== null) return
  const forgotten = await transaction
    .deleteFrom('objects')
    .where('file_id', '=', uploadId)
    .$if(index !== undefined, (query) => query.where('object_index', '=', index ?? 0))
    .returning('sealed_bytes')
    .execute()
  if (upload.plain_bytes !== null) return
  const bytes = forgotten.reduce((sum, chunk) => sum + plainBytesOf(chunk.sealed_bytes), 0)
  await transaction
    .updateTable('uploads')
    .set({ reserved_bytes: upload.reserved_bytes - bytes })
    .where('id', '=', uploadId)
    .execute()
  await changeStorageUse(transaction, { userId: upload.owner_id, usedBytes: 0, reservedBytes: -bytes })
}

/** What a foreign client's chunk holds: it seals a chunk as one record. */
const plainBytesOf = (sealedBytes: number): number => Math.max(0, sealedBytes - recordOverheadBytes)

async function completeUpload(
  transaction: DatabaseTransaction,
  uploadId: string,
  file: CompletedFile,
): Promise<'completed' | 'closed' | 'changed'> {
  const upload = await lockUpload(transaction, uploadId)
  if (!upload || upload.completed_at !== null || upload.cancelled_at !== null) return 'closed'
  const { count } = await transaction
    .selectFrom('objects')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('file_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  if (count !== file.objectCount) return 'changed'
  await transaction
    .updateTable('uploads')
    .set({ completed_at: file.completedAt, reserved_bytes: 0 })
    .where('id', '=', uploadId)
    .execute()
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
      created_at: file.completedAt,
      expires_at: file.expiresAt,
    })
    .execute()
  const change = { userId: upload.owner_id, usedBytes: file.plainBytes, reservedBytes: -upload.reserved_bytes }
  await changeStorageUse(transaction, change)
  return 'completed'
}

/** Writing a row as it is locks it on both databases. */
async function lockUpload(transaction: DatabaseTransaction, id: string): Promise<Tables['uploads'] | undefined> {
  return transaction
    .updateTable('uploads')
    .set((row) => ({ last_byte_at: row.ref('last_byte_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
