import { isUniqueViolation } from '../db/failures.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import type { ChunkPlan } from './chunk-plan.rules.ts'
import { createChunksStore } from './chunks.store.ts'
import { changeStorageUse, lockStorageUse, reserveStorage } from './storage-use.store.ts'

export interface UploadRecord {
  /** Also the id of the file it becomes. */
  readonly id: string
  readonly ownerId: string
  /** The session it is for; null for a file of its owner alone. */
  readonly sessionId: string | null
  /** The id the client chose, made one of its session's own. */
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

interface UnopenedUpload extends Pick<NewUpload, 'id' | 'ownerId' | 'uploadKey'> {
  readonly now: number
}

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

/** So many cancelled ids of an account are enough for any person, and too few to fill a disk with. */
const mostRemembered = 100

/** SQL for uploads as a whole; what happens to their chunks is in the store of chunks. */
export function createUploadsStore(db: Database) {
  return {
    chunks: createChunksStore(db),

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

    /**
     * Remembers an upload as cancelled that no chunk has opened yet, so that a chunk still on its way cannot open it.
     * False when there is such an upload already, or when the account has had many of these lately.
     */
    async cancelUnopened({ id, ownerId, uploadKey, now }: UnopenedUpload): Promise<boolean> {
      const { count } = await db
        .selectFrom('uploads')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('owner_id', '=', ownerId)
        .where('completed_at', 'is', null)
        .where('cancelled_at', 'is not', null)
        .executeTakeFirstOrThrow()
      if (count >= mostRemembered) return false
      const nothing = {
        sessionId: null,
        sealedName: '',
        wrappedKey: null,
        plan: null,
        chunkBytes: 0,
        volume: '',
        expirationMinutes: 0,
      }
      const row = rowOf({ id, ownerId, uploadKey, ...nothing, createdAt: now }, 0)
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('uploads')
        .values({ ...row, cancelled_at: now })
        .onConflict((conflict) => conflict.columns(['owner_id', 'upload_key']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows !== undefined && numInsertedOrUpdatedRows > 0n
    },

    /** Where the bytes of everything lie that somebody has uploaded, or is uploading. */
    async placesOf(ownerId: string): Promise<{ id: string; volume: string }[]> {
      const placed = (table: 'files' | 'uploads') =>
        db.selectFrom(table).select(['id', 'volume']).where('owner_id', '=', ownerId)
      return placed('files').union(placed('uploads')).execute()
    },

    /** Uploads that are neither complete nor cancelled, newest first. */
    async listOpen(ownerId: string): Promise<UploadRecord[]> {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('session_id', 'is', null)
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

  const openUploads = await countOpen(transaction, upload)
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

/** Uploads into a session are counted apart from those of its creator. */
async function countOpen(transaction: DatabaseTransaction, { ownerId, sessionId }: NewUpload): Promise<number> {
  const { count } = await transaction
    .selectFrom('uploads')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('session_id', 'is not distinct from', sessionId)
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

function rowOf(upload: NewUpload, reservedBytes: number): Tables['uploads'] {
  return {
    id: upload.id,
    owner_id: upload.ownerId,
    session_id: upload.sessionId,
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
    sessionId: row.session_id,
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
