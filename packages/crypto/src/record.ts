import { type Bytes, concatBytes, utf8, viewOf } from './bytes.ts'
import { CryptoError } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { open } from './gcm.ts'
import { producesTag, sealInto } from './gcm-seal.ts'
import type { FileHeader } from './header.ts'
import { isLastRecord, ivBytes, recordPlainBytes, sealedRecordBytes, sealingOverheadBytes, tagBytes } from './sizes.ts'

type RecordKeys = Pick<FileKeys, 'header' | 'content'>

interface SealRecordIntoInput {
  readonly keys: RecordKeys
  readonly index: number
  /** Has exactly `recordPlainBytes` of this record. */
  readonly plain: Uint8Array
  readonly target: Uint8Array
  /** Offset of the sealed record in the target. */
  readonly offset: number
}

const magic = utf8('EF1C')

export async function sealRecord(keys: RecordKeys, index: number, plain: Uint8Array): Promise<Bytes> {
  const target = new Uint8Array(plain.length + sealingOverheadBytes)
  await sealRecordInto({ keys, index, plain, target, offset: 0 })
  return target
}

/** Seals directly into a buffer that holds a whole chunk. Returns the number of bytes written. */
export async function sealRecordInto({ keys, index, plain, target, offset }: SealRecordIntoInput): Promise<number> {
  if (plain.length !== recordPlainBytes(keys.header, index)) {
    throw new CryptoError('malformed', 'The record does not have the size that the header declares', index)
  }
  const end = offset + plain.length + sealingOverheadBytes
  if (end > target.length) throw new RangeError('The sealed record does not fit into the target')
  const aad = recordAad(keys.header, index)
  await sealInto({ key: keys.content, plain, aad, target: target.subarray(offset, end) })
  return end - offset
}

/** Returns plain bytes only after their tag has been verified. */
export async function openRecord(keys: RecordKeys, index: number, sealed: Uint8Array): Promise<Bytes> {
  const expectedBytes = sealedRecordBytes(keys.header, index)
  if (sealed.length < expectedBytes) throw new CryptoError('truncated', 'The record is too short', index)
  if (sealed.length > expectedBytes) throw new CryptoError('damaged', 'The record is too long', index)
  const plain = await open({ key: keys.content, sealed, aad: recordAad(keys.header, index) })
  if (!plain) throw new CryptoError('damaged', 'The record cannot be verified', index)
  return plain
}

/** The digest of a sealed record, 28 bytes: its IV and its tag. */
export const recordDigestOf = (sealed: Uint8Array): Bytes =>
  concatBytes(sealed.subarray(0, ivBytes), sealed.subarray(sealed.length - tagBytes))

/** The ciphertext between IV and tag of a sealed record; as long as its plain bytes. */
export const recordBody = <Buffer extends ArrayBufferLike>(sealed: Uint8Array<Buffer>): Uint8Array<Buffer> =>
  sealed.subarray(ivBytes, sealed.length - tagBytes)

/** Reassembles a sealed record from its digest and body. */
export const joinRecord = (recordDigest: Uint8Array, body: Uint8Array): Bytes =>
  concatBytes(recordDigest.subarray(0, ivBytes), body, recordDigest.subarray(ivBytes))

/** Checks whether a record with this digest was sealed from these very bytes. */
export async function matchesRecordDigest(
  keys: RecordKeys,
  {
    index,
    plain,
    recordDigest,
  }: { readonly index: number; readonly plain: Uint8Array; readonly recordDigest: Uint8Array },
): Promise<boolean> {
  if (plain.length !== recordPlainBytes(keys.header, index) || recordDigest.length !== sealingOverheadBytes)
    return false
  return producesTag({
    key: keys.content,
    plain,
    aad: recordAad(keys.header, index),
    iv: recordDigest.subarray(0, ivBytes),
    tag: recordDigest.subarray(ivBytes),
  })
}

/** Bound to every record as AAD, so that none can be moved, repeated or presented as the last one. */
function recordAad(header: FileHeader, index: number): Bytes {
  const aad = new Uint8Array(32)
  aad.set(magic)
  aad.set(header.fileUid, 4)
  viewOf(aad).setBigUint64(20, BigInt(index))
  aad[28] = isLastRecord(header, index) ? 1 : 0
  return aad
}
