import { chunkBytesFor, maximumChunkBytes, recordOverheadBytes } from '@sallyport/contract/limits'
import type { UploadStart } from '@sallyport/contract/upload-socket'
import { refuse } from '../errors.ts'
import { type ChunkPlan, sealedChunkBytes } from './chunk-plan.rules.ts'

/** How the bytes of a socket are cut into chunks. */
export interface SocketCut {
  /** Plain bytes of every chunk but the last. */
  readonly chunkBytes: number
  readonly firstIndex: number
  /** Sealed bytes that come over the socket at the most, and at the least where that is known. */
  readonly totalBytes: number
  /** The sealed length of a chunk at the most; null when no such chunk is to come. */
  sealedBytes(index: number): number | null
}

/** The cut of an upload whose file says how long it is. Refuses announcements that contradict the file's own header. */
export function cutByPlan(plan: ChunkPlan, start: UploadStart): SocketCut {
  if (start.fileSize !== plan.plainBytes) throw refuse('BAD_REQUEST', { details: { fields: ['fileSize'] } })
  if (start.encryptedSize > plan.sealedBytes) throw refuse('CHUNK_TOO_LONG')
  if (start.encryptedSize < plan.sealedBytes) throw refuse('CHUNK_LENGTH_WRONG')
  const { chunkIndex } = start
  if (chunkIndex === undefined) {
    const sealedBytes = (index: number) => sealedChunkBytes(plan, index)
    return { chunkBytes: plan.chunkBytes, firstIndex: 0, totalBytes: plan.sealedBytes, sealedBytes }
  }
  const only = sealedChunkBytes(plan, chunkIndex)
  if (only === null) throw refuse('CHUNK_INDEX_INVALID')
  return {
    chunkBytes: plan.chunkBytes,
    firstIndex: chunkIndex,
    totalBytes: only,
    sealedBytes: (index) => (index === chunkIndex ? only : null),
  }
}

/** The cut of a foreign client's upload: it seals each chunk as one record, and its file as one if it says so. */
export function cutByRule(start: UploadStart): SocketCut {
  if (start.chunkIndex !== undefined) throw refuse('BAD_REQUEST', { details: { fields: ['chunkIndex'] } })
  const isOneRecord =
    start.encryptedSize === start.fileSize + recordOverheadBytes && start.fileSize <= maximumChunkBytes
  const chunkBytes = start.chunkSize ?? (isOneRecord ? Math.max(1, start.fileSize) : chunkBytesFor(start.fileSize))
  if (chunkBytes < 1 || chunkBytes > maximumChunkBytes) {
    throw refuse('BAD_REQUEST', { details: { fields: ['chunkSize'] } })
  }
  const sealedBytes = () => chunkBytes + recordOverheadBytes
  return { chunkBytes, firstIndex: 0, totalBytes: start.encryptedSize, sealedBytes }
}
