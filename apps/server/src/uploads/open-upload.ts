import { randomUUIDv7 } from 'node:crypto'
import { formatBytes } from '@sallyport/contract/formats'
import {
  maximumChunkBytes,
  maximumSealedChunkBytes,
  recordOverheadBytes,
  sessionLimits,
  uploadLimits,
} from '@sallyport/contract/limits'
import { type AppError, refuse } from '../errors.ts'
import { type ChunkPlan, mostChunks, planChunks, sealedChunkBytes } from './chunk-plan.rules.ts'
import { requireOffered } from './lifetime.ts'
import { readEnvelope, requireEnvelope, requireSealedName } from './sealed-form.ts'
import type { IncomingChunk, UploadParts } from './upload-parts.ts'
import type { UploadRecord } from './uploads.store.ts'

/** The upload a chunk belongs to. The first chunk opens it, once it is known to be a chunk of it. */
export async function openUpload(parts: UploadParts, chunk: IncomingChunk): Promise<UploadRecord> {
  const present = await parts.store.find(chunk.ownerId, chunk.uploadKey)
  if (present) return requireSame(present, chunk)

  requireSealedName(chunk.sealedName, parts.strict)
  const plan = planOf(parts, chunk)
  chunkLength(plan, chunk)
  const { session } = chunk
  if (chunk.expirationMinutes !== undefined) requireOffered(chunk.expirationMinutes, session ? 'session' : 'own')
  const expirationMinutes =
    chunk.expirationMinutes ?? session?.expirationMinutes ?? (await parts.expirationMinutesOf(chunk.ownerId))
  const storageBytes = await parts.storageLimitOf(chunk.ownerId)
  const volume = await parts.volumes.choose(plan?.sealedBytes ?? 0)

  const opening = await parts.store.open(
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
      createdAt: parts.now(),
    },
    {
      storageBytes,
      openUploads: session ? sessionLimits.openUploads : uploadLimits.openPerAccount,
      files: uploadLimits.filesPerAccount,
    },
  )
  if (opening.outcome === 'open') return requireSame(opening.upload, chunk)
  if (opening.outcome === 'too-many-uploads') throw refuse('TOO_MANY_UPLOADS')
  if (opening.outcome === 'too-many-files') throw refuse('TOO_MANY_FILES')
  throw storageLimit(opening.takenBytes, storageBytes)
}

/** How many bytes a chunk has to bring. Refuses chunks that are none of the file's, or announce another length. */
export function chunkLength(plan: ChunkPlan | null, { index, announcedBytes }: IncomingChunk) {
  const length = plan ? plannedLength(plan, index) : foreignLength(index, announcedBytes)
  if (!length) throw refuse('CHUNK_INDEX_INVALID')
  if (announcedBytes !== undefined && announcedBytes > length.most) throw refuse('CHUNK_TOO_LONG')
  if (announcedBytes !== undefined && announcedBytes < length.least) throw refuse('CHUNK_LENGTH_WRONG')
  return length
}

/** The refusal of an account whose storage is full. */
export const storageLimit = (usedBytes: number, limitBytes: number): AppError =>
  refuse('STORAGE_LIMIT', {
    text: `Storage limit reached: ${formatBytes(usedBytes)} of ${formatBytes(limitBytes)} used`,
    details: { usedBytes, limitBytes },
  })

function plannedLength(plan: ChunkPlan, index: number) {
  const bytes = sealedChunkBytes(plan, index)
  return bytes === null ? null : { least: bytes, most: bytes }
}

function foreignLength(index: number, announcedBytes: number | undefined) {
  if (index >= mostChunks) return null
  const most = Math.min(announcedBytes ?? maximumSealedChunkBytes, maximumSealedChunkBytes)
  return { least: Math.max(recordOverheadBytes, announcedBytes === undefined ? 0 : most), most }
}

type Described = Pick<IncomingChunk, 'wrappedKey' | 'chunkBytes' | 'session'>

/** How the file is cut that a chunk says it is a part of; null when a foreign client does not tell. */
export const planOf = ({ strict }: Pick<UploadParts, 'strict'>, chunk: Described): ChunkPlan | null =>
  strict ? requirePlan(chunk) : guessPlan(chunk)

function requirePlan(chunk: Described): ChunkPlan {
  // A chunk that does not tell what it is a part of can only belong to an upload that is there.
  if (chunk.wrappedKey === undefined) throw refuse('UPLOAD_NOT_FOUND')
  const { header } = chunk.session
    ? requireEnvelope(chunk.wrappedKey, 'session', 'session')
    : requireEnvelope(chunk.wrappedKey, 'account')
  const plan = planChunks(header, chunk.chunkBytes)
  if (!plan) throw refuse('BAD_REQUEST', { details: { fields: ['x-chunk-size'] } })
  return plan
}

/** Our own clients tell the sizes to a server that is not strict as well. */
function guessPlan(chunk: Described): ChunkPlan | null {
  const envelope = readEnvelope(chunk.wrappedKey)
  return envelope ? planChunks(envelope.header, chunk.chunkBytes) : null
}

function requireSame(upload: UploadRecord, chunk: IncomingChunk): UploadRecord {
  if (upload.cancelledAt !== null) throw refuse('UPLOAD_NOT_FOUND')
  if (upload.completedAt !== null) throw refuse('UPLOAD_FINISHED')
  const isSame =
    upload.sealedName === chunk.sealedName &&
    (chunk.wrappedKey === undefined || upload.wrappedKey === chunk.wrappedKey) &&
    (chunk.chunkBytes === undefined || !upload.plan || upload.plan.chunkBytes === chunk.chunkBytes)
  if (!isSame) throw refuse('UPLOAD_MISMATCH')
  return upload
}
