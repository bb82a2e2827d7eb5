import { chunkBytesFor, maximumChunkBytes, recordOverheadBytes } from '@sallyport/contract/limits'

/** No file is cut into more chunks than this. */
export const mostChunks = 100_000

/** How a sealed file is cut: into records by whoever seals it, into chunks by whoever sends it. */
export interface ChunkPlan {
  readonly plainBytes: number
  readonly sealedBytes: number
  /** Plain bytes of every record but the last. */
  readonly recordBytes: number
  /** Plain bytes of every chunk but the last. */
  readonly chunkBytes: number
  readonly chunkCount: number
}

interface Sizes {
  readonly plainBytes: number
  readonly recordBytes: number
}

/** An empty file has one record too. */
const countOf = (plainBytes: number, partBytes: number): number => Math.max(1, Math.ceil(plainBytes / partBytes))

/** Bytes of so many plain bytes once they are sealed record by record. */
const sealedBytesOf = (plainBytes: number, recordBytes: number): number =>
  plainBytes + countOf(plainBytes, recordBytes) * recordOverheadBytes

/** The plan of a file, in chunks of the wanted size or of the usual one; null when the chunks cannot be had. */
export function planChunks({ plainBytes, recordBytes }: Sizes, wantedChunkBytes?: number): ChunkPlan | null {
  const chunkBytes = wantedChunkBytes ?? Math.max(recordBytes, chunkBytesFor(plainBytes))
  const isWhole = chunkBytes >= recordBytes && chunkBytes % recordBytes === 0
  // A file that comes in one piece is one object, however long.
  const isOnePiece = chunkBytes === singleChunkBytes({ plainBytes, recordBytes })
  if (!isWhole || (chunkBytes > maximumChunkBytes && !isOnePiece)) return null
  const chunkCount = countOf(plainBytes, chunkBytes)
  if (chunkCount > mostChunks) return null
  return { plainBytes, sealedBytes: sealedBytesOf(plainBytes, recordBytes), recordBytes, chunkBytes, chunkCount }
}

/** The chunk size at which a file is a single chunk. */
export const singleChunkBytes = ({ plainBytes, recordBytes }: Sizes): number =>
  recordBytes * countOf(plainBytes, recordBytes)

/** The exact length of a sealed chunk; null when the file has no chunk of this index. */
export function sealedChunkBytes(plan: ChunkPlan, index: number): number | null {
  if (!Number.isInteger(index) || index < 0 || index >= plan.chunkCount) return null
  const plainBytes = Math.min(plan.chunkBytes, plan.plainBytes - index * plan.chunkBytes)
  return sealedBytesOf(plainBytes, plan.recordBytes)
}

/** Whole numbers in rising order as inclusive ranges: 0, 1, 2, 5 become 0 to 2 and 5 to 5. */
export function asRanges(indexes: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const index of indexes) {
    const last = ranges.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  return ranges
}
