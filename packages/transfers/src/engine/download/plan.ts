import type { FileHeader } from '@sallyport/crypto'

/** Records from `first` up to, but not including, `end`. */
export interface RecordRange {
  readonly first: number
  readonly end: number
}

/** How much one request of a large file fetches. Each has a timeout of its own. */
const partBytes = 64 * 1024 * 1024
/** Below this size a second request costs more than it gains. */
const minSplitBytes = 2 * partBytes

export const concurrentParts = 2

/** Divides the missing records of a large file into parts. Any other file is fetched in one part per missing range. */
export function planDownload(
  { plainBytes, recordBytes, recordCount }: FileHeader,
  writtenRecords: readonly RecordRange[] = [],
): RecordRange[] {
  const missing = findMissingRanges(recordCount, writtenRecords)
  if (plainBytes < minSplitBytes) return missing
  const recordsPerPart = Math.max(1, Math.floor(partBytes / recordBytes))
  return missing.flatMap(({ first, end }) =>
    Array.from({ length: Math.ceil((end - first) / recordsPerPart) }, (_, part) => ({
      first: first + part * recordsPerPart,
      end: Math.min(end, first + (part + 1) * recordsPerPart),
    })),
  )
}

/** The number of plain bytes in ranges of records. */
export const plainBytesOf = ({ plainBytes, recordBytes }: FileHeader, ranges: readonly RecordRange[]): number =>
  ranges.reduce((sum, { first, end }) => sum + Math.min(plainBytes, end * recordBytes) - first * recordBytes, 0)

function findMissingRanges(recordCount: number, writtenRecords: readonly RecordRange[]): RecordRange[] {
  const missing: RecordRange[] = []
  let next = 0
  for (const { first, end } of [...writtenRecords, { first: recordCount, end: recordCount }]) {
    if (first > next) missing.push({ first: next, end: first })
    next = end
  }
  return missing
}
