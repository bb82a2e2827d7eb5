import { ignore } from '@sallyport/contract/ignore'
import { recordOverheadBytes } from '@sallyport/contract/limits'
import { apiError } from '../../../errors.ts'
import type { BlobStore } from '../../../platform/storage/blob-store.ts'
import { maxChunks, sealedChunkBytes } from './chunks/chunk-plan.rules.ts'
import type { ChunkRecord, CompletedFile } from './chunks/chunks.store.ts'
import { computeExpiry, requireOfferedLifetime, requireSealedName } from './file-checks.ts'
import { toListedFile, toSessionFile } from './listed-file.ts'
import type { UploadServiceDeps } from './upload-deps.ts'
import type { UploadRecord } from './uploads.store.ts'

/** The client's description of an upload after it has sent all chunks. */
export interface UploadSummary {
  readonly fileName: string
  readonly encryptedFileKey: string
  readonly totalChunks: number
  /** Plaintext size of every chunk but the last. */
  readonly chunkSize: number
  readonly fileExpirationMinutes?: number | undefined
}

interface CompleteUploadInput {
  readonly ownerId: string
  readonly uploadKey: string
  readonly summary: UploadSummary
}

const maxReportedMissing = 1000
const concurrentChecks = 8

/**
 * Turns an upload into a file and returns its id; idempotent. The result survives a crash, because chunks, directory
 * entries and the file's row are made durable in this order.
 */
export async function completeUpload(deps: UploadServiceDeps, input: CompleteUploadInput): Promise<string> {
  const { ownerId, uploadKey, summary } = input
  const upload = await deps.store.find(ownerId, uploadKey)
  if (!upload || upload.cancelledAt !== null) throw apiError('UPLOAD_NOT_FOUND')
  if (upload.completedAt !== null) return upload.id

  if (summary.fileExpirationMinutes !== undefined)
    requireOfferedLifetime(summary.fileExpirationMinutes, upload.sessionId === null ? 'own' : 'session')
  requireSummary(deps, upload, summary)
  const blobs = deps.volumes.of(upload.volume)
  await removeUnsyncedChunks(deps, upload.id)
  const chunks = await requireChunks(deps, { upload, blobs, chunkCount: summary.totalChunks })
  await syncFolders(deps, upload, blobs)
  const file = toCompletedFile(upload, { summary, chunks, now: deps.now() })

  deps.failpoint('before-commit')
  const outcome = await deps.store.chunks.complete(upload.id, file)
  deps.failpoint('after-commit')
  if (outcome === 'closed') return findCompleted(deps, input)
  if (outcome === 'changed') throw apiError('CONFLICT')
  publishFileInserted(deps, upload, file)
  deps.failpoint('before-answer')
  return upload.id
}

function publishFileInserted(
  deps: UploadServiceDeps,
  { id, ownerId, sessionId }: UploadRecord,
  file: CompletedFile,
): void {
  const metadata = { ...file, id }
  if (sessionId !== null) {
    deps.publishToSession(sessionId, { type: 'session.file.inserted', file: toSessionFile(metadata, sessionId) })
  } else {
    deps.publishToAccount(ownerId, {
      type: 'file.inserted',
      file: toListedFile({ ...metadata, downloads: 0, isShared: false }),
    })
    // Files of sessions are left out: any participant may have uploaded them.
    deps.recordActivity(ownerId, { action: 'upload', files: 1, bytes: file.plainBytes })
  }
}

/** Handles completion by a concurrent request or another node. */
async function findCompleted(
  { store }: UploadServiceDeps,
  { ownerId, uploadKey }: CompleteUploadInput,
): Promise<string> {
  const upload = await store.find(ownerId, uploadKey)
  if (!upload || upload.completedAt === null) throw apiError('UPLOAD_NOT_FOUND')
  return upload.id
}

function requireSummary({ strict }: UploadServiceDeps, upload: UploadRecord, summary: UploadSummary): void {
  const { plan } = upload
  requireSealedName(summary.fileName, strict)
  const isSame =
    summary.fileName === upload.sealedName &&
    (upload.wrappedKey === null || summary.encryptedFileKey === upload.wrappedKey) &&
    (!plan || (summary.totalChunks === plan.chunkCount && summary.chunkSize === plan.chunkBytes))
  if (!isSame) throw apiError('UPLOAD_MISMATCH')
  const isPossible = summary.totalChunks >= 1 && summary.totalChunks <= maxChunks && summary.chunkSize >= 1
  if (!isPossible) throw apiError('BAD_REQUEST', { details: { fields: ['totalChunks', 'chunkSize'] } })
}

interface RequireChunksInput {
  readonly upload: UploadRecord
  readonly blobs: BlobStore
  readonly chunkCount: number
}

async function requireChunks(
  { store }: UploadServiceDeps,
  { upload, blobs, chunkCount }: RequireChunksInput,
): Promise<readonly ChunkRecord[]> {
  const chunks = await store.chunks.list(upload.id)
  const intact = new Set<number>()
  const inspect = async (chunk: ChunkRecord): Promise<void> => {
    if (await isIntact(upload, blobs, chunk)) intact.add(chunk.index)
    else await store.chunks.remove(upload.id, chunk.index)
  }
  for (let first = 0; first < chunks.length; first += concurrentChecks) {
    await Promise.all(chunks.slice(first, first + concurrentChecks).map(inspect))
  }
  const missing: number[] = []
  for (let index = 0; index < chunkCount && missing.length < maxReportedMissing; index += 1) {
    if (!intact.has(index)) missing.push(index)
  }
  if (missing.length > 0) {
    const text = `Upload integrity check failed: Missing chunks [${missing.join(', ')}]`
    throw apiError('UPLOAD_INCOMPLETE', { text, details: { missing } })
  }
  if (chunks.length > chunkCount || !haveEqualSizes(chunks)) throw apiError('UPLOAD_MISMATCH')
  return chunks
}

/** True if an object exists and has the expected size. */
async function isIntact({ id, plan }: UploadRecord, blobs: BlobStore, chunk: ChunkRecord): Promise<boolean> {
  if (plan && sealedChunkBytes(plan, chunk.index) !== chunk.sealedBytes) return false
  return (await blobs.size(id, chunk.index)) === chunk.sealedBytes
}

/**
 * Byte ranges are computed from the object size, so all objects but the last must have one size and the last must not
 * be larger.
 */
function haveEqualSizes(chunks: readonly ChunkRecord[]): boolean {
  const [first] = chunks
  const last = chunks.at(-1)
  if (!first || !last) return false
  return (
    chunks.slice(0, -1).every((chunk) => chunk.sealedBytes === first.sealedBytes) &&
    last.sealedBytes <= first.sealedBytes
  )
}

async function syncFolders(deps: UploadServiceDeps, { id }: UploadRecord, blobs: BlobStore): Promise<void> {
  try {
    await blobs.syncFolders(id)
  } catch (error) {
    // After a failed fsync the next one may succeed although data was lost.
    deps.unsyncedUploads.add(id)
    // The database may be on the same disk; if this fails, the next completion tries again.
    await removeUnsyncedChunks(deps, id).catch((error: unknown) => ignore(error, 'the chunks stay listed as unsynced'))
    throw error
  }
}

async function removeUnsyncedChunks({ store, unsyncedUploads }: UploadServiceDeps, uploadId: string): Promise<void> {
  if (!unsyncedUploads.has(uploadId)) return
  await store.chunks.removeAll(uploadId)
  unsyncedUploads.delete(uploadId)
}

interface CompletedFileInput {
  readonly summary: UploadSummary
  readonly chunks: readonly ChunkRecord[]
  readonly now: number
}

function toCompletedFile(upload: UploadRecord, { summary, chunks, now }: CompletedFileInput): CompletedFile {
  const sealedBytes = chunks.reduce((sum, chunk) => sum + chunk.sealedBytes, 0)
  return {
    sealedName: upload.sealedName,
    wrappedKey: summary.encryptedFileKey,
    plainBytes: upload.plan?.plainBytes ?? sealedBytes - chunks.length * recordOverheadBytes,
    sealedBytes,
    recordBytes: upload.plan?.recordBytes ?? summary.chunkSize,
    objectBytes: chunks[0]?.sealedBytes ?? 0,
    objectCount: chunks.length,
    createdAt: now,
    expiresAt: computeExpiry(now, summary.fileExpirationMinutes ?? upload.expirationMinutes),
  }
}
