import { recordOverheadBytes } from '@sallyport/contract/limits'
import { isUniqueViolation } from '../db/failures.ts'
import { quickTransaction } from '../db/quick-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import type { ChunkPlan } from './chunk-plan.rules.ts'
import { changeStorageUse, lockStorageUse, reserveStorage } from './storage-use.store.ts'

export interface UploadRecord {
  /** Also the id of the file it becomes. */
  readonly id: string
  readonly ownerId: string
  /** The id the client chose. */
  readonly uploadKey: string
  readonly sealedName: string
  readonly wrappedKey: string | null
  /** Null for a foreign client, whose files tell their sizes only by what arrives. */
  readonly plan: ChunkPlan | null
  readonly chunkBytes: number
  readonly volume: string
  readonly reservedBytes: number
  readonly expirationMinutes: number
  readonly completedAt: number | null
  readonly cancelledAt: number | null
  readonly createdAt: number
  readonly lastByteAt: number
}

export type NewUpload = Omit<UploadRecord, 'reservedBytes' | 'completedAt' | 'cancelledAt' | 'lastByteAt'>

export interface UploadLimits {
  readonly storageBytes: number
  readonly openUploads: number
  readonly files: number
}

export type Opening =
  | { readonly outcome: 'open'; readonly upload: UploadRecord }
  | { readonly outcome: 'no-storage'; readonly takenBytes: number }
  | { readonly outcome: 'too-many-uploads' }
  | { readonly outcome: 'too-many-files' }

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

/** SQL for uploads, the chunks they have received and the files they become. */
export function createUploadsStore(db: Database) {
  return {
    async find(ownerId: string, uploadKey: string): Promise<UploadRecord | null> {
      return findUpload(db, ownerId, uploadKey)
    },

    /** The upload of this key: the one that is there, or a new one that holds storage for itself. */
    async open(upload: NewUpload, limits: UploadLimits): Promise<Opening> {
      try {
        return await db.transaction().execute((transaction) => openUpload(transaction, upload, limits))
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        const other = await findUpload(db, upload.ownerId, upload.uploadKey)
        if (!other) throw error
        return { outcome: 'open', upload: other }
      }
    },

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

    async hasChunk(uploadId: string, index: number): Promise<boolean> {
      const found = await db
        .selectFrom('objects')
        .select('object_index')
        .where('file_id', '=', uploadId)
        .where('object_index', '=', index)
        .executeTakeFirst()
      return found !== undefined
    },

    /** The chunks that have arrived, in order. */
    async chunks(uploadId: string): Promise<ChunkRecord[]> {
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

    /** Ends an upload and gives back what it held. Null when it was not open. */
    async cancel(ownerId: string, uploadKey: string, now: number): Promise<UploadRecord | null> {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('uploads')
          .set({ cancelled_at: now })
          .where('owner_id', '=', ownerId)
          .where('upload_key', '=', uploadKey)
          .where('completed_at', 'is', null)
          .where('cancelled_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (!row) return null
        await transaction.deleteFrom('objects').where('file_id', '=', row.id).execute()
        await changeStorageUse(transaction, { userId: ownerId, usedBytes: 0, reservedBytes: -row.reserved_bytes })
        return recordOf(row)
      })
    },

    /** Uploads that are neither complete nor cancelled, newest first. */
    async listOpen(ownerId: string): Promise<UploadRecord[]> {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('completed_at', 'is', null)
        .where('cancelled_at', 'is', null)
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(recordOf)
    },
  }
}

export type UploadsStore = ReturnType<typeof createUploadsStore>

async function findUpload(db: Database, ownerId: string, uploadKey: string): Promise<UploadRecord | null> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('upload_key', '=', uploadKey)
    .executeTakeFirst()
  return row ? recordOf(row) : null
}

async function openUpload(transaction: DatabaseTransaction, upload: NewUpload, limits: UploadLimits): Promise<Opening> {
  const { usedBytes, reservedBytes } = await lockStorageUse(transaction, upload.ownerId)
  const present = await findUpload(transaction, upload.ownerId, upload.uploadKey)
  if (present) return { outcome: 'open', upload: present }

  const openUploads = await countOpen(transaction, upload.ownerId)
  if (openUploads >= limits.openUploads) return { outcome: 'too-many-uploads' }
  const files = await countFiles(transaction, upload.ownerId)
  if (files + openUploads >= limits.files) return { outcome: 'too-many-files' }

  const bytes = upload.plan?.plainBytes ?? 0
  const reservation = { userId: upload.ownerId, bytes, limitBytes: limits.storageBytes }
  const reserved = await reserveStorage(transaction, reservation)
  if (!reserved) return { outcome: 'no-storage', takenBytes: usedBytes + reservedBytes }

  const row = rowOf(upload, bytes)
  await transaction.insertInto('uploads').values(row).execute()
  return { outcome: 'open', upload: recordOf(row) }
}

async function countOpen(transaction: DatabaseTransaction, ownerId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('uploads')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('completed_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

async function countFiles(transaction: DatabaseTransaction, ownerId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('files')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
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

function rowOf(upload: NewUpload, reservedBytes: number): Tables['uploads'] {
  return {
    id: upload.id,
    owner_id: upload.ownerId,
    upload_key: upload.uploadKey,
    sealed_name: upload.sealedName,
    wrapped_key: upload.wrappedKey,
    plain_bytes: upload.plan?.plainBytes ?? null,
    sealed_bytes: upload.plan?.sealedBytes ?? null,
    record_bytes: upload.plan?.recordBytes ?? null,
    chunk_bytes: upload.chunkBytes,
    chunk_count: upload.plan?.chunkCount ?? null,
    volume: upload.volume,
    reserved_bytes: reservedBytes,
    expiration_minutes: upload.expirationMinutes,
    completed_at: null,
    cancelled_at: null,
    created_at: upload.createdAt,
    last_byte_at: upload.createdAt,
  }
}

function recordOf(row: Tables['uploads']): UploadRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    uploadKey: row.upload_key,
    sealedName: row.sealed_name,
    wrappedKey: row.wrapped_key,
    plan: planOf(row),
    chunkBytes: row.chunk_bytes,
    volume: row.volume,
    reservedBytes: row.reserved_bytes,
    expirationMinutes: row.expiration_minutes,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    createdAt: row.created_at,
    lastByteAt: row.last_byte_at,
  }
}

function planOf(row: Tables['uploads']): ChunkPlan | null {
  const { plain_bytes, sealed_bytes, record_bytes, chunk_bytes, chunk_count } = row
  if (plain_bytes === null || sealed_bytes === null || record_bytes === null || chunk_count === null) return null
  return {
    plainBytes: plain_bytes,
    sealedBytes: sealed_bytes,
    recordBytes: record_bytes,
    chunkBytes: chunk_bytes,
    chunkCount: chunk_count,
  }
}
