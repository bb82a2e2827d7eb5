export const ivBytes = 12
export const tagBytes = 16
/** What sealing adds to a record, and to anything else: the random IV in front and the tag behind. */
export const sealingOverheadBytes = ivBytes + tagBytes

/** The part of a file header that sizes follow from. */
export interface RecordSizes {
  readonly recordBytes: number
  readonly recordCount: number
  readonly plainBytes: number
}

/** An empty file still has one record, for its tag is what proves that the file is empty. */
export const recordCountOf = (plainBytes: number, recordBytes: number): number =>
  Math.max(1, Math.ceil(plainBytes / recordBytes))

export const sealedSizeOf = (plainBytes: number, recordBytes: number): number =>
  plainBytes + sealingOverheadBytes * recordCountOf(plainBytes, recordBytes)

export const sealedBytes = ({ plainBytes, recordCount }: RecordSizes): number =>
  plainBytes + sealingOverheadBytes * recordCount

export const isLastRecord = ({ recordCount }: RecordSizes, index: number): boolean => index === recordCount - 1

export function recordPlainBytes(sizes: RecordSizes, index: number): number {
  requireRecordOf(sizes, index)
  return isLastRecord(sizes, index) ? sizes.plainBytes - index * sizes.recordBytes : sizes.recordBytes
}

export const sealedRecordBytes = (sizes: RecordSizes, index: number): number =>
  recordPlainBytes(sizes, index) + sealingOverheadBytes

/** Offset of a record in the sealed file. */
export function recordStart(sizes: RecordSizes, index: number): number {
  requireRecordOf(sizes, index)
  return index * (sizes.recordBytes + sealingOverheadBytes)
}

function requireRecordOf({ recordCount }: RecordSizes, index: number): void {
  const exists = Number.isInteger(index) && index >= 0 && index < recordCount
  if (!exists) throw new RangeError(`The file has no record ${index}`)
}
