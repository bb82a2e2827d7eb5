import { countRows } from '../../../platform/db/count-rows.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import type { ChunkPlan } from './chunks/chunk-plan.rules.ts'
import { createChunksStore } from './chunks/chunks.store.ts'
import { changeStorageUse, lockStorageUse, reserveStorage } from './storage-use.store.ts'

export interface UploadRecord {
  /** Also the id of the resulting file. */
  readonly id: string
  readonly ownerId: string
  /** The session it is for; null for a file of its owner alone. */
  readonly sessionId: string | null
  /** The id that the client chose, prefixed for sessions. */
  readonly uploadKey: string
  readonly sealedName: string
  readonly wrappedKey: string | null
  /** Null for a third-party client, whose file sizes are known only from the received chunks. */
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

interface Cancellation extends Pick<NewUpload, 'ownerId' | 'uploadKey'> {
  readonly now: number
}

interface UnopenedUpload extends Cancellation, Pick<NewUpload, 'id'> {}

export interface UploadLimits {
  readonly storageBytes: number
  readonly openUploads: number
  readonly files: number
  /** At the limit of open uploads, one that has received nothing since this time is cancelled for a new one. */
  readonly idleSince: number
}

export type OpenUploadResult =
  | { readonly outcome: 'open'; readonly upload: UploadRecord; readonly replaced?: UploadRecord }
  | { readonly outcome: 'no-storage'; readonly occupiedBytes: number }
  | { readonly outcome: 'too-many-uploads' }
  | { readonly outcome: 'too-many-files' }

/** Cancelled ids remembered per account: more than a user needs, too few to fill a disk. */
const maxRememberedCancellations = 100

/** SQL for uploads; the chunks store handles their chunks. */
export function createUploadsStore(db: Database) {
  return {
    chunks: createChunksStore(db),

    async find(ownerId: string, uploadKey: string): Promise<UploadRecord | null> {
      return findUpload(db, ownerId, uploadKey)
    },

    /** Finds the upload with this key or creates it and reserves its storage. */
    async open(upload: NewUpload, limits: UploadLimits): Promise<OpenUploadResult> {
      try {
        return await db.transaction().execute((transaction) => openUpload(transaction, upload, limits))
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        const other = await findUpload(db, upload.ownerId, upload.uploadKey)
        if (!other) throw error
        return { outcome: 'open', upload: other }
      }
    },

    /** Cancels an upload and releases its storage; null if it was not open. */
    async cancel(ownerId: string, uploadKey: string, now: number): Promise<UploadRecord | null> {
      return db.transaction().execute((transaction) => cancelUpload(transaction, { ownerId, uploadKey, now }))
    },

    /**
     * Records a cancelled upload for which no chunk has arrived, so that a late chunk cannot open it. False if the
     * upload exists already or if the account has too many such records.
     */
    async cancelUnopened({ id, ownerId, uploadKey, now }: UnopenedUpload): Promise<boolean> {
      const count = await countRows(
        db
          .selectFrom('uploads')
          .where('owner_id', '=', ownerId)
          .where('completed_at', 'is', null)
          .where('cancelled_at', 'is not', null),
      )
      if (count >= maxRememberedCancellations) return false
      const emptyFields = {
        sessionId: null,
        sealedName: '',
        wrappedKey: null,
        plan: null,
        chunkBytes: 0,
        volume: '',
        expirationMinutes: 0,
      }
      const row = rowOf({ id, ownerId, uploadKey, ...emptyFields, createdAt: now }, 0)
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('uploads')
        .values({ ...row, cancelled_at: now })
        .onConflict((conflict) => conflict.columns(['owner_id', 'upload_key']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows !== undefined && numInsertedOrUpdatedRows > 0n
    },

    /** The volumes and ids of all files and uploads of an account. */
    async listFileLocations(ownerId: string): Promise<{ id: string; volume: string }[]> {
      const located = (table: 'files' | 'uploads') =>
        db.selectFrom(table).select(['id', 'volume']).where('owner_id', '=', ownerId)
      return located('files').union(located('uploads')).execute()
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

async function cancelUpload(
  transaction: DatabaseTransaction,
  { ownerId, uploadKey, now }: Cancellation,
): Promise<UploadRecord | null> {
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
}

async function openUpload(
  transaction: DatabaseTransaction,
  upload: NewUpload,
  limits: UploadLimits,
): Promise<OpenUploadResult> {
  const { usedBytes, reservedBytes, files } = await lockStorageUse(transaction, upload.ownerId)
  const present = await findUpload(transaction, upload.ownerId, upload.uploadKey)
  if (present) return { outcome: 'open', upload: present }

  const openUploads = await countRows(openWith(transaction, upload))
  if (files + openUploads >= limits.files) return { outcome: 'too-many-files' }
  const isFull = openUploads >= limits.openUploads
  const replaced = isFull ? await cancelLongestIdle(transaction, upload, limits.idleSince) : null
  if (isFull && !replaced) return { outcome: 'too-many-uploads' }

  const bytes = upload.plan?.plainBytes ?? 0
  const reservation = { userId: upload.ownerId, bytes, limitBytes: limits.storageBytes }
  const reserved = await reserveStorage(transaction, reservation)
  if (!reserved) return { outcome: 'no-storage', occupiedBytes: usedBytes + reservedBytes }

  const row = rowOf(upload, bytes)
  await transaction.insertInto('uploads').values(row).execute()
  return { outcome: 'open', upload: recordOf(row), ...(replaced && { replaced }) }
}

/** Cancels the upload that has been idle longest; null if all have received something since this time. */
async function cancelLongestIdle(
  transaction: DatabaseTransaction,
  upload: NewUpload,
  idleSince: number,
): Promise<UploadRecord | null> {
  const idle = await openWith(transaction, upload)
    .select('upload_key')
    .where('last_byte_at', '<=', idleSince)
    .orderBy('last_byte_at')
    .limit(1)
    .executeTakeFirst()
  if (!idle) return null
  return cancelUpload(transaction, { ownerId: upload.ownerId, uploadKey: idle.upload_key, now: upload.createdAt })
}

/** The open uploads that count together with this one: those to a session apart from the creator's own. */
const openWith = (transaction: DatabaseTransaction, { ownerId, sessionId }: NewUpload) =>
  transaction
    .selectFrom('uploads')
    .where('owner_id', '=', ownerId)
    .where('session_id', 'is not distinct from', sessionId)
    .where('completed_at', 'is', null)
    .where('cancelled_at', 'is', null)

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
