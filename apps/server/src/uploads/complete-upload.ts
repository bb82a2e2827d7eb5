import { recordOverheadBytes } from '@sallyport/contract/limits'
import type { BlobStore } from '../blobs/blob-store.ts'
import { refuse } from '../errors.ts'
import { mostChunks, sealedChunkBytes } from './chunk-plan.rules.ts'
import type { ChunkRecord, CompletedFile } from './chunks.store.ts'
import { endOfLife, requireOffered } from './lifetime.ts'
import { asListedFile, asSessionFile } from './listed-file.ts'
import { requireSealedName } from './sealed-form.ts'
import type { UploadParts } from './upload-parts.ts'
import type { UploadRecord } from './uploads.store.ts'

/** What a client says its upload is, once it has sent all of it. */
export interface UploadSummary {
  readonly fileName: string
  readonly encryptedFileKey: string
  readonly totalChunks: number
  /** Plain bytes of every chunk but the last. */
  readonly chunkSize: number
  readonly fileExpirationMinutes?: number | undefined
}

interface Completion {
  readonly ownerId: string
  readonly uploadKey: string
  readonly summary: UploadSummary
}

const mostMissingTold = 1000
const checksAtOnce = 8

/**
 * Turns an upload into a file and answers its id; asked again, answers the same. What is answered survives a crash:
 * the chunks are on the disk, their names are, and then the row that makes them a file.
 */
export async function completeUpload(parts: UploadParts, completion: Completion): Promise<string> {
  const { ownerId, uploadKey, summary } = completion
  const upload = await parts.store.find(ownerId, uploadKey)
  if (!upload || upload.cancelledAt !== null) throw refuse('UPLOAD_NOT_FOUND')
  if (upload.completedAt !== null) return upload.id

  if (summary.fileExpirationMinutes !== undefined)
    requireOffered(summary.fileExpirationMinutes, upload.sessionId === null ? 'own' : 'session')
  requireSummary(parts, upload, summary)
  const blobs = parts.volumes.of(upload.volume)
  await forgetDistrusted(parts, upload.id)
  const chunks = await requireChunks(parts, { upload, blobs, chunkCount: summary.totalChunks })
  await settle(parts, upload, blobs)
  const file = fileOf(upload, { summary, chunks, now: parts.now() })

  parts.reached('before-commit')
  const outcome = await parts.store.chunks.complete(upload.id, file)
  parts.reached('after-commit')
  if (outcome === 'closed') return findCompleted(parts, completion)
  if (outcome === 'changed') throw refuse('CONFLICT')
  announceFile(parts, upload, file)
  parts.reached('before-answer')
  return upload.id
}

function announceFile(parts: UploadParts, { id, ownerId, sessionId }: UploadRecord, file: CompletedFile): void {
  const { completedAt: createdAt, ...rest } = file
  const facts = { ...rest, id, createdAt }
  if (sessionId !== null) {
    parts.announceToSession(sessionId, { type: 'session.file.inserted', file: asSessionFile(facts, sessionId) })
  } else {
    parts.announce(ownerId, { type: 'file.inserted', file: asListedFile({ ...facts, downloads: 0, isShared: false }) })
  }
}

/** Another node may have been faster. */
async function findCompleted({ store }: UploadParts, { ownerId, uploadKey }: Completion): Promise<string> {
  const upload = await store.find(ownerId, uploadKey)
  if (!upload || upload.completedAt === null) throw refuse('UPLOAD_NOT_FOUND')
  return upload.id
}

function requireSummary({ strict }: UploadParts, upload: UploadRecord, summary: UploadSummary): void {
  const { plan } = upload
  requireSealedName(summary.fileName, strict)
  const isSame =
    summary.fileName === upload.sealedName &&
    (upload.wrappedKey === null || summary.encryptedFileKey === upload.wrappedKey) &&
    (!plan || (summary.totalChunks === plan.chunkCount && summary.chunkSize === plan.chunkBytes))
  if (!isSame) throw refuse('UPLOAD_MISMATCH')
  const isPossible = summary.totalChunks >= 1 && summary.totalChunks <= mostChunks && summary.chunkSize >= 1
  if (!isPossible) throw refuse('BAD_REQUEST', { details: { fields: ['totalChunks', 'chunkSize'] } })
}

interface Expectation {
  readonly upload: UploadRecord
  readonly blobs: BlobStore
  readonly chunkCount: number
}

async function requireChunks(
  { store }: UploadParts,
  { upload, blobs, chunkCount }: Expectation,
): Promise<readonly ChunkRecord[]> {
  const chunks = await store.chunks.list(upload.id)
  const sound = new Set<number>()
  const inspect = async (chunk: ChunkRecord): Promise<void> => {
    if (await isSound(upload, blobs, chunk)) sound.add(chunk.index)
    else await store.chunks.forget(upload.id, chunk.index)
  }
  for (let first = 0; first < chunks.length; first += checksAtOnce) {
    await Promise.all(chunks.slice(first, first + checksAtOnce).map(inspect))
  }
  const missing: number[] = []
  for (let index = 0; index < chunkCount && missing.length < mostMissingTold; index += 1) {
    if (!sound.has(index)) missing.push(index)
  }
  if (missing.length > 0) {
    const text = `Upload integrity check failed: Missing chunks [${missing.join(', ')}]`
    throw refuse('UPLOAD_INCOMPLETE', { text, details: { missing } })
  }
  if (chunks.length > chunkCount || !haveOneLength(chunks)) throw refuse('UPLOAD_MISMATCH')
  return chunks
}

/** Whether an object is there, whole, and of the length it has to have. */
async function isSound({ id, plan }: UploadRecord, blobs: BlobStore, chunk: ChunkRecord): Promise<boolean> {
  if (plan && sealedChunkBytes(plan, chunk.index) !== chunk.sealedBytes) return false
  return (await blobs.size(id, chunk.index)) === chunk.sealedBytes
}

/** Ranges of a file are found by counting: all objects but the last are of one length, and the last is no longer. */
function haveOneLength(chunks: readonly ChunkRecord[]): boolean {
  const [first] = chunks
  const last = chunks.at(-1)
  if (!first || !last) return false
  return (
    chunks.slice(0, -1).every((chunk) => chunk.sealedBytes === first.sealedBytes) &&
    last.sealedBytes <= first.sealedBytes
  )
}

async function settle(parts: UploadParts, { id }: UploadRecord, blobs: BlobStore): Promise<void> {
  try {
    await blobs.settle(id)
  } catch (error) {
    // A disk that fails once may say later that all is well, though what it failed to keep is lost.
    parts.distrusted.add(id)
    // The database may lie on the same disk; what cannot be forgotten now is forgotten before the next attempt.
    await forgetDistrusted(parts, id).catch(() => undefined)
    throw error
  }
}

async function forgetDistrusted({ store, distrusted }: UploadParts, uploadId: string): Promise<void> {
  if (!distrusted.has(uploadId)) return
  await store.chunks.forgetAll(uploadId)
  distrusted.delete(uploadId)
}

interface Facts {
  readonly summary: UploadSummary
  readonly chunks: readonly ChunkRecord[]
  readonly now: number
}

function fileOf(upload: UploadRecord, { summary, chunks, now }: Facts): CompletedFile {
  const sealedBytes = chunks.reduce((sum, chunk) => sum + chunk.sealedBytes, 0)
  return {
    sealedName: upload.sealedName,
    wrappedKey: summary.encryptedFileKey,
    plainBytes: upload.plan?.plainBytes ?? sealedBytes - chunks.length * recordOverheadBytes,
    sealedBytes,
    recordBytes: upload.plan?.recordBytes ?? summary.chunkSize,
    objectBytes: chunks[0]?.sealedBytes ?? 0,
    objectCount: chunks.length,
    completedAt: now,
    expiresAt: endOfLife(now, summary.fileExpirationMinutes ?? upload.expirationMinutes),
  }
}
