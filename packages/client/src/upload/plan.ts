import { chunkBytesFor, smallFileBytes } from '@sallyport/contract/limits'
import { type FileHeader, recordOverheadBytes } from '@sallyport/crypto'

/** One request's worth of a file: a whole number of records. */
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
  /** Small files go up in a single request instead of chunks. */
  readonly isSingle: boolean
  /** Plain bytes of every chunk but the last. */
  readonly chunkBytes: number
  readonly chunkCount: number
  chunk(index: number): Chunk
}

interface PlanChoice {
  readonly availableMemoryBytes?: number | undefined
  /** Off where files only go up in chunks. */
  readonly mayBeSingle?: boolean
}

/** Cuts a new file into chunks of the size that the specification has for it. */
export function planUpload(
  header: FileHeader,
  { availableMemoryBytes, mayBeSingle = true }: PlanChoice = {},
): UploadPlan {
  const { plainBytes } = header
  const isSingle = mayBeSingle && isSmall(header)
  if (!isSingle) return planInChunks(header, chunkBytesFor(plainBytes, availableMemoryBytes))
  return { ...planInChunks(header, wholeFile(header)), isSingle, chunkBytes: Math.max(1, plainBytes) }
}

/** Cuts a file as it was cut when it was noted. */
export const planAgain = (header: FileHeader, chunkBytes: number, choice: PlanChoice): UploadPlan =>
  isSmall(header) && choice.mayBeSingle ? planUpload(header, choice) : planInChunks(header, chunkBytes)

const isSmall = ({ plainBytes }: FileHeader): boolean => plainBytes < smallFileBytes

/** In whole records, as chunks are. */
const wholeFile = ({ recordBytes, recordCount }: FileHeader): number => recordBytes * recordCount

/** Cuts a file into chunks of this size; nothing is listed, so the plan of a huge file is as small as any other. */
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
