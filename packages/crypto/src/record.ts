import { type Bytes, concatBytes, utf8, viewOf } from './bytes.ts'
import { CryptoError } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { givesTag, open, sealInto } from './gcm.ts'
import type { FileHeader } from './header.ts'
import { isLastRecord, ivBytes, recordPlainBytes, sealedRecordBytes, sealingOverheadBytes, tagBytes } from './sizes.ts'

type RecordKeys = Pick<FileKeys, 'header' | 'content'>

interface SealRecordInto {
  readonly keys: RecordKeys
  readonly index: number
  /** Exactly `recordPlainBytes` of this record. */
  readonly plain: Uint8Array
  readonly target: Uint8Array
  /** Where in the target the sealed record begins. */
  readonly offset: number
}

const magic = utf8('EF1C')

export async function sealRecord(keys: RecordKeys, index: number, plain: Uint8Array): Promise<Bytes> {
  const target = new Uint8Array(plain.length + sealingOverheadBytes)
  await sealRecordInto({ keys, index, plain, target, offset: 0 })
  return target
}

/** Seals straight into a buffer that holds a whole chunk. Gives the number of bytes written. */
export async function sealRecordInto({ keys, index, plain, target, offset }: SealRecordInto): Promise<number> {
  if (plain.length !== recordPlainBytes(keys.header, index)) {
    throw new CryptoError('malformed', 'The record has not the size that the header promises', index)
  }
  const end = offset + plain.length + sealingOverheadBytes
  if (end > target.length) throw new RangeError('The sealed record does not fit into the target')
  const associated = positionOf(keys.header, index)
  await sealInto({ key: keys.content, plain, associated, target: target.subarray(offset, end) })
  return end - offset
}

/** Gives plain bytes only after their tag has been verified. */
export async function openRecord(keys: RecordKeys, index: number, sealed: Uint8Array): Promise<Bytes> {
  const expectedBytes = sealedRecordBytes(keys.header, index)
  if (sealed.length < expectedBytes) throw new CryptoError('truncated', 'The record is too short', index)
  if (sealed.length > expectedBytes) throw new CryptoError('damaged', 'The record is too long', index)
  const plain = await open({ key: keys.content, sealed, associated: positionOf(keys.header, index) })
  if (!plain) throw new CryptoError('damaged', 'The record cannot be verified', index)
  return plain
}

/** The imprint of a sealed record, 28 bytes: its IV and its tag, without what lies between them. */
export const imprintOf = (sealed: Uint8Array): Bytes =>
  concatBytes(sealed.subarray(0, ivBytes), sealed.subarray(sealed.length - tagBytes))

/** What lies between IV and tag of a sealed record: as long as its plain bytes. */
export const recordBody = <Buffer extends ArrayBufferLike>(sealed: Uint8Array<Buffer>): Uint8Array<Buffer> =>
  sealed.subarray(ivBytes, sealed.length - tagBytes)

/** The sealed record of this imprint and body. */
export const joinRecord = (imprint: Uint8Array, body: Uint8Array): Bytes =>
  concatBytes(imprint.subarray(0, ivBytes), body, imprint.subarray(ivBytes))

/** Whether a record with this imprint was sealed from these very bytes. Tells nothing but yes or no. */
export async function isImprintOf(
  keys: RecordKeys,
  { index, plain, imprint }: { readonly index: number; readonly plain: Uint8Array; readonly imprint: Uint8Array },
): Promise<boolean> {
  if (plain.length !== recordPlainBytes(keys.header, index) || imprint.length !== sealingOverheadBytes) return false
  return givesTag({
    key: keys.content,
    plain,
    associated: positionOf(keys.header, index),
    iv: imprint.subarray(0, ivBytes),
    tag: imprint.subarray(ivBytes),
  })
}

/** Bound to every record, so that none can be moved, repeated or taken for the last one. */
function positionOf(header: FileHeader, index: number): Bytes {
  const position = new Uint8Array(32)
  position.set(magic)
  position.set(header.fileUid, 4)
  viewOf(position).setBigUint64(20, BigInt(index))
  position[28] = isLastRecord(header, index) ? 1 : 0
  return position
}
