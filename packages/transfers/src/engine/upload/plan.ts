import { chunkBytesFor, smallFileBytes } from '@sallyport/contract/limits'
import { type FileHeader, recordOverheadBytes } from '@sallyport/crypto'

/** The part of a file that one request carries: a whole number of records. */
export interface Chunk {
  readonly index: number
  readonly firstRecord: number
  readonly recordCount: number
  /** Offsets of the plain bytes in the file. */
  readonly start: number
  readonly end: number
  readonly sealedBytes: number
}

export interface UploadPlan {
  /** Small files are uploaded in a single request instead of chunks. */
  readonly isSingle: boolean
  /** Plain bytes of every chunk except the last. */
  readonly chunkBytes: number
  readonly chunkCount: number
  chunk(index: number): Chunk
}

interface PlanOptions {
  readonly availableMemoryBytes?: number | undefined
  /** False where files are only uploaded in chunks. */
  readonly allowSingleRequest?: boolean
}

/** Divides a new file into chunks of the size that the specification sets for it. */
export function planUpload(
  header: FileHeader,
  { availableMemoryBytes, allowSingleRequest = true }: PlanOptions = {},
): UploadPlan {
  const { plainBytes } = header
  const isSingle = allowSingleRequest && isSmall(header)
  if (!isSingle) return planInChunks(header, chunkBytesFor(plainBytes, availableMemoryBytes))
  return { ...planInChunks(header, roundedUpSize(header)), isSingle, chunkBytes: Math.max(1, plainBytes) }
}

/** Restores the plan of a persisted upload. */
export function restorePlan(header: FileHeader, chunkBytes: number, options: PlanOptions): UploadPlan {
  const plan = planUpload(header, options)
  return plan.isSingle && plan.chunkBytes === chunkBytes ? plan : planInChunks(header, chunkBytes)
}

/** Divides a file into the smallest chunks, of one record each; null if the plan has no larger ones. */
export const planInRecords = (header: FileHeader, { chunkCount }: UploadPlan): UploadPlan | null =>
  chunkCount < header.recordCount ? planInChunks(header, header.recordBytes) : null

const isSmall = ({ plainBytes }: FileHeader): boolean => plainBytes < smallFileBytes

/** Rounded up to whole records, as chunks are. */
const roundedUpSize = ({ recordBytes, recordCount }: FileHeader): number => recordBytes * recordCount

/**
 * Divides a file into chunks of this size. Chunks are computed on demand, so the plan of a huge file takes no memory.
 */
export function planInChunks(header: FileHeader, chunkBytes: number): UploadPlan {
  const { plainBytes, recordBytes, recordCount } = header
  const recordsPerChunk = chunkBytes / recordBytes
  const chunkCount = Math.max(1, Math.ceil(plainBytes / chunkBytes))

  return {
    isSingle: false,
    chunkBytes,
    chunkCount,
    chunk(index) {
      if (!Number.isInteger(index) || index < 0 || index >= chunkCount) throw new RangeError(`No chunk ${index}`)
      const firstRecord = index * recordsPerChunk
      const records = Math.min(recordsPerChunk, recordCount - firstRecord)
      const start = index * chunkBytes
      const end = Math.min(plainBytes, start + chunkBytes)
      const sealedBytes = end - start + records * recordOverheadBytes
      return { index, firstRecord, recordCount: records, start, end, sealedBytes }
    },
  }
}
