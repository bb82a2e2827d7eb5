export const ivBytes = 12
export const tagBytes = 16
/** What sealing adds to any plaintext: the random IV before and the tag after it. */
export const sealingOverheadBytes = ivBytes + tagBytes

/** The part of a file header that determines the sizes. */
export interface RecordSizes {
  readonly recordBytes: number
  readonly recordCount: number
  readonly plainBytes: number
}

/** An empty file has one record, because its tag proves that the file is empty. */
export const recordCountOf = (plainBytes: number, recordBytes: number): number =>
  Math.max(1, Math.ceil(plainBytes / recordBytes))

export const sealedSizeOf = (plainBytes: number, recordBytes: number): number =>
  plainBytes + sealingOverheadBytes * recordCountOf(plainBytes, recordBytes)

export const sealedBytes = ({ plainBytes, recordCount }: RecordSizes): number =>
  plainBytes + sealingOverheadBytes * recordCount

export const isLastRecord = ({ recordCount }: RecordSizes, index: number): boolean => index === recordCount - 1

export function recordPlainBytes(sizes: RecordSizes, index: number): number {
  assertRecordExists(sizes, index)
  return isLastRecord(sizes, index) ? sizes.plainBytes - index * sizes.recordBytes : sizes.recordBytes
}

export const sealedRecordBytes = (sizes: RecordSizes, index: number): number =>
  recordPlainBytes(sizes, index) + sealingOverheadBytes

/** Offset of a record in the sealed file. */
export function recordStart(sizes: RecordSizes, index: number): number {
  assertRecordExists(sizes, index)
  return index * (sizes.recordBytes + sealingOverheadBytes)
}

function assertRecordExists({ recordCount }: RecordSizes, index: number): void {
  const exists = Number.isInteger(index) && index >= 0 && index < recordCount
  if (!exists) throw new RangeError(`The file has no record ${index}`)
}
