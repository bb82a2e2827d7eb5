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

/**
 * Cuts what is missing of a large file into parts that are fetched side by side; any other is fetched in one piece, but
 * for what is kept of it.
 */
export function planDownload(
  { plainBytes, recordBytes, recordCount }: FileHeader,
  isSeekable: boolean,
  kept: readonly RecordRange[] = [],
): RecordRange[] {
  const missing = missingOf(recordCount, kept)
  if (!isSeekable || plainBytes < smallestSplitBytes) return missing
  const recordsPerPart = Math.max(1, Math.floor(partBytes / recordBytes))
  return missing.flatMap(({ first, end }) =>
    Array.from({ length: Math.ceil((end - first) / recordsPerPart) }, (_, part) => ({
      first: first + part * recordsPerPart,
      end: Math.min(end, first + (part + 1) * recordsPerPart),
    })),
  )
}

/** Plain bytes of so many runs of records. */
export const plainBytesOf = ({ plainBytes, recordBytes }: FileHeader, ranges: readonly RecordRange[]): number =>
  ranges.reduce((sum, { first, end }) => sum + Math.min(plainBytes, end * recordBytes) - first * recordBytes, 0)

function missingOf(recordCount: number, kept: readonly RecordRange[]): RecordRange[] {
  const missing: RecordRange[] = []
  let next = 0
  for (const { first, end } of [...kept, { first: recordCount, end: recordCount }]) {
    if (first > next) missing.push({ first: next, end: first })
    next = end
  }
  return missing
}
