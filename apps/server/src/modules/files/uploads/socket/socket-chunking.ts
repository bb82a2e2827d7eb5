import { chunkBytesFor, maximumChunkBytes, recordOverheadBytes } from '@sallyport/contract/limits'
import type { UploadStart } from '@sallyport/contract/upload-socket'
import { apiError } from '../../../../errors.ts'
import { type ChunkPlan, sealedChunkBytes } from '../chunks/chunk-plan.rules.ts'

/** How the bytes of an upload socket are divided into chunks. */
export interface SocketChunking {
  /** Plaintext size of every chunk but the last. */
  readonly chunkBytes: number
  readonly firstIndex: number
  /** Sealed bytes sent over the socket: the maximum, or the exact number if a plan exists. */
  readonly totalBytes: number
  /** Maximum size of a sealed chunk; null if no such chunk is expected. */
  sealedBytes(index: number): number | null
}

/**
 * The chunking of an upload whose envelope contains its sizes. Throws if the announced sizes contradict the envelope.
 */
export function chunkingFromPlan(plan: ChunkPlan, start: UploadStart): SocketChunking {
  if (start.fileSize !== plan.plainBytes) throw apiError('BAD_REQUEST', { details: { fields: ['fileSize'] } })
  if (start.encryptedSize > plan.sealedBytes) throw apiError('CHUNK_TOO_LONG')
  if (start.encryptedSize < plan.sealedBytes) throw apiError('CHUNK_LENGTH_WRONG')
  const { chunkIndex } = start
  if (chunkIndex === undefined) {
    const sealedBytes = (index: number) => sealedChunkBytes(plan, index)
    return { chunkBytes: plan.chunkBytes, firstIndex: 0, totalBytes: plan.sealedBytes, sealedBytes }
  }
  const only = sealedChunkBytes(plan, chunkIndex)
  if (only === null) throw apiError('CHUNK_INDEX_INVALID')
  return {
    chunkBytes: plan.chunkBytes,
    firstIndex: chunkIndex,
    totalBytes: only,
    sealedBytes: (index) => (index === chunkIndex ? only : null),
  }
}

/**
 * The chunking of a third-party client's upload, which seals each chunk as one record, or the whole file as one record
 * if its sizes say so.
 */
export function chunkingWithoutPlan(start: UploadStart): SocketChunking {
  if (start.chunkIndex !== undefined) throw apiError('BAD_REQUEST', { details: { fields: ['chunkIndex'] } })
  const isOneRecord =
    start.encryptedSize === start.fileSize + recordOverheadBytes && start.fileSize <= maximumChunkBytes
  const chunkBytes = start.chunkSize ?? (isOneRecord ? Math.max(1, start.fileSize) : chunkBytesFor(start.fileSize))
  if (chunkBytes < 1 || chunkBytes > maximumChunkBytes) {
    throw apiError('BAD_REQUEST', { details: { fields: ['chunkSize'] } })
  }
  const sealedBytes = () => chunkBytes + recordOverheadBytes
  return { chunkBytes, firstIndex: 0, totalBytes: start.encryptedSize, sealedBytes }
}
