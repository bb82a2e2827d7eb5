import { randomUUIDv7 } from 'node:crypto'
import { formatBytes } from '@sallyport/contract/formats'
import { maximumChunkBytes, recordOverheadBytes, sessionLimits, uploadLimits } from '@sallyport/contract/limits'
import { maximumSealedChunkBytes } from '@sallyport/contract/server-limits'
import { type ApiError, apiError } from '../../../errors.ts'
import { type ChunkPlan, maxChunks, planChunks, sealedChunkBytes } from './chunks/chunk-plan.rules.ts'
import { readEnvelope, requireEnvelope, requireOfferedLifetime, requireSealedName } from './file-checks.ts'
import type { IncomingChunk, UploadServiceDeps } from './upload-deps.ts'
import type { UploadRecord } from './uploads.store.ts'

/** Finds the upload of a chunk, or creates it with the first chunk that is valid for it. */
export async function openUpload(deps: UploadServiceDeps, chunk: IncomingChunk): Promise<UploadRecord> {
  const present = await deps.store.find(chunk.ownerId, chunk.uploadKey)
  if (present) return requireSameUpload(present, chunk)

  requireSealedName(chunk.sealedName, deps.strict)
  const plan = planOf(deps, chunk)
  requireChunkLength(plan, chunk)
  const { session } = chunk
  if (chunk.expirationMinutes !== undefined)
    requireOfferedLifetime(chunk.expirationMinutes, session ? 'session' : 'own')
  const expirationMinutes =
    chunk.expirationMinutes ?? session?.expirationMinutes ?? (await deps.expirationMinutesOf(chunk.ownerId))
  const storageBytes = await deps.storageLimitOf(chunk.ownerId)
  const volume = await deps.volumes.choose(plan?.sealedBytes ?? 0)

  const result = await deps.store.open(
    {
      id: randomUUIDv7(),
      ownerId: chunk.ownerId,
      sessionId: session?.id ?? null,
      uploadKey: chunk.uploadKey,
      sealedName: chunk.sealedName,
      wrappedKey: chunk.wrappedKey ?? null,
      plan,
      chunkBytes: plan?.chunkBytes ?? chunk.chunkBytes ?? maximumChunkBytes,
      volume: volume.id,
      expirationMinutes,
      createdAt: deps.now(),
    },
    {
      storageBytes,
      openUploads: session ? sessionLimits.openUploads : uploadLimits.openPerAccount,
      files: uploadLimits.filesPerAccount,
      idleSince: deps.now() - uploadLimits.leaseMs,
    },
  )
  if (result.outcome === 'open') {
    const { upload, replaced } = result
    if (replaced) await deps.volumes.remove(replaced.volume, replaced.id)
    return requireSameUpload(upload, chunk)
  }
  if (result.outcome === 'too-many-uploads') throw apiError('TOO_MANY_UPLOADS')
  if (result.outcome === 'too-many-files') throw apiError('TOO_MANY_FILES')
  throw storageLimitError(result.occupiedBytes, storageBytes)
}

/** The allowed length of a chunk. Throws if the file has no such chunk or if its announced length is wrong. */
export function requireChunkLength(plan: ChunkPlan | null, { index, announcedBytes }: IncomingChunk) {
  const length = plan ? plannedLength(plan, index) : foreignLength(index, announcedBytes)
  if (!length) throw apiError('CHUNK_INDEX_INVALID')
  if (announcedBytes !== undefined && announcedBytes > length.most) throw apiError('CHUNK_TOO_LONG')
  if (announcedBytes !== undefined && announcedBytes < length.least) throw apiError('CHUNK_LENGTH_WRONG')
  return length
}

/** The error for an account whose storage is full. */
export const storageLimitError = (usedBytes: number, limitBytes: number): ApiError =>
  apiError('STORAGE_LIMIT', {
    text: `Storage limit reached: ${formatBytes(usedBytes)} of ${formatBytes(limitBytes)} used`,
    details: { usedBytes, limitBytes },
  })

function plannedLength(plan: ChunkPlan, index: number) {
  const bytes = sealedChunkBytes(plan, index)
  return bytes === null ? null : { least: bytes, most: bytes }
}

function foreignLength(index: number, announcedBytes: number | undefined) {
  if (index >= maxChunks) return null
  const most = Math.min(announcedBytes ?? maximumSealedChunkBytes, maximumSealedChunkBytes)
  return { least: Math.max(recordOverheadBytes, announcedBytes === undefined ? 0 : most), most }
}

type ChunkDescription = Pick<IncomingChunk, 'wrappedKey' | 'chunkBytes' | 'session'>

/** The chunk plan of the file that a chunk belongs to; null for a third-party client that does not send the sizes. */
export const planOf = ({ strict }: Pick<UploadServiceDeps, 'strict'>, chunk: ChunkDescription): ChunkPlan | null =>
  strict ? requirePlan(chunk) : guessPlan(chunk)

function requirePlan(chunk: ChunkDescription): ChunkPlan {
  // Without the wrapped key, a chunk can only belong to an existing upload.
  if (chunk.wrappedKey === undefined) throw apiError('UPLOAD_NOT_FOUND')
  const { header } = chunk.session
    ? requireEnvelope(chunk.wrappedKey, 'session', 'session')
    : requireEnvelope(chunk.wrappedKey, 'account')
  const plan = planChunks(header, chunk.chunkBytes)
  if (!plan) throw apiError('BAD_REQUEST', { details: { fields: ['x-chunk-size'] } })
  return plan
}

/** Our own clients send the sizes to a server that is not strict, too. */
function guessPlan(chunk: ChunkDescription): ChunkPlan | null {
  const envelope = readEnvelope(chunk.wrappedKey)
  return envelope ? planChunks(envelope.header, chunk.chunkBytes) : null
}

function requireSameUpload(upload: UploadRecord, chunk: IncomingChunk): UploadRecord {
  if (upload.cancelledAt !== null) throw apiError('UPLOAD_NOT_FOUND')
  if (upload.completedAt !== null) throw apiError('UPLOAD_FINISHED')
  const isSame =
    upload.sealedName === chunk.sealedName &&
    (chunk.wrappedKey === undefined || upload.wrappedKey === chunk.wrappedKey) &&
    (chunk.chunkBytes === undefined || !upload.plan || upload.plan.chunkBytes === chunk.chunkBytes)
  if (!isSame) throw apiError('UPLOAD_MISMATCH')
  return upload
}
