import { chunkBytesFor, maximumChunkBytes, recordOverheadBytes } from '@sallyport/contract/limits'

/** Maximum number of chunks per file. */
export const maxChunks = 100_000

/** How an encrypted file is divided: into records for encryption and into chunks for upload. */
export interface ChunkPlan {
  readonly plainBytes: number
  readonly sealedBytes: number
  /** Plaintext size of every record but the last. */
  readonly recordBytes: number
  /** Plaintext size of every chunk but the last. */
  readonly chunkBytes: number
  readonly chunkCount: number
}

interface Sizes {
  readonly plainBytes: number
  readonly recordBytes: number
}

/** An empty file also has one record. */
const countOf = (plainBytes: number, partBytes: number): number => Math.max(1, Math.ceil(plainBytes / partBytes))

/** Size of the plaintext after each record is sealed. */
const sealedBytesOf = (plainBytes: number, recordBytes: number): number =>
  plainBytes + countOf(plainBytes, recordBytes) * recordOverheadBytes

/** Plans the chunks of a file, with the requested or the default chunk size; null if that chunk size is not allowed. */
export function planChunks({ plainBytes, recordBytes }: Sizes, requestedChunkBytes?: number): ChunkPlan | null {
  const chunkBytes = requestedChunkBytes ?? Math.max(recordBytes, chunkBytesFor(plainBytes))
  const isWhole = chunkBytes >= recordBytes && chunkBytes % recordBytes === 0
  // A file that is uploaded in one request is a single object of any length.
  const isOnePiece = chunkBytes === singleChunkBytes({ plainBytes, recordBytes })
  if (!isWhole || (chunkBytes > maximumChunkBytes && !isOnePiece)) return null
  const chunkCount = countOf(plainBytes, chunkBytes)
  if (chunkCount > maxChunks) return null
  return { plainBytes, sealedBytes: sealedBytesOf(plainBytes, recordBytes), recordBytes, chunkBytes, chunkCount }
}

/** The chunk size at which a file is a single chunk. */
export const singleChunkBytes = ({ plainBytes, recordBytes }: Sizes): number =>
  recordBytes * countOf(plainBytes, recordBytes)

/** The exact size of a sealed chunk; null if the file has no chunk with this index. */
export function sealedChunkBytes(plan: ChunkPlan, index: number): number | null {
  if (!Number.isInteger(index) || index < 0 || index >= plan.chunkCount) return null
  const plainBytes = Math.min(plan.chunkBytes, plan.plainBytes - index * plan.chunkBytes)
  return sealedBytesOf(plainBytes, plan.recordBytes)
}

/** Converts ascending integers to inclusive ranges: 0, 1, 2, 5 become [0, 2] and [5, 5]. */
export function toRanges(indexes: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const index of indexes) {
    const last = ranges.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  return ranges
}
