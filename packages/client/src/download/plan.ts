import type { FileHeader } from '@sallyport/crypto'

/** Records from the first up to, but not including, the end. */
export interface RecordRange {
  readonly first: number
  readonly end: number
}

/** What one request of a large file asks for, where the sink takes bytes in any order. */
const partBytes = 64 * 1024 * 1024
/** Below this the second connection costs more than it gains. */
const smallestSplitBytes = 2 * partBytes

export const partsAtOnce = 2

/** Cuts a large file into parts that are fetched side by side; any other is fetched in one piece. */
export function planDownload({ plainBytes, recordBytes, recordCount }: FileHeader, isSeekable: boolean): RecordRange[] {
  if (!isSeekable || plainBytes < smallestSplitBytes) return [{ first: 0, end: recordCount }]
  const recordsPerPart = Math.max(1, Math.floor(partBytes / recordBytes))
  return Array.from({ length: Math.ceil(recordCount / recordsPerPart) }, (_, part) => ({
    first: part * recordsPerPart,
    end: Math.min(recordCount, (part + 1) * recordsPerPart),
  }))
}
