import { type Bytes, startsWith, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import { randomBytes } from './random.ts'
import { recordCountOf } from './sizes.ts'

export type FileKind = 'personal' | 'session' | 'portal'

/** The public parameters of a sealed file. Every byte of the encoding is bound into the keys of the file. */
export interface FileHeader {
  readonly kind: FileKind
  /** 16 random bytes, unique to one upload. */
  readonly fileUid: Bytes
  /** Plain bytes of every record except the last, which may be shorter. */
  readonly recordBytes: number
  readonly recordCount: number
  readonly plainBytes: number
}

export interface HeaderLimits {
  /** Below 64 KiB only for published vectors with tiny records. */
  readonly smallestRecordBytes?: number
}

const headerBytes = 40
export const fileUidBytes = 16
export const standardRecordBytes = 512 * 1024
export const smallestRecordBytes = 64 * 1024
export const largestRecordBytes = 32 * 1024 * 1024

const magic = utf8('EF1H')
const version = 1
const suite = 1
const byteOfKind: Record<FileKind, number> = { personal: 1, session: 2, portal: 3 }
const kindOfByte = new Map(Object.entries(byteOfKind).map(([kind, byte]) => [byte, kind as FileKind]))
const largestCount = 0xffff_ffff

interface CreateFileHeaderInput extends HeaderLimits {
  readonly kind: FileKind
  readonly plainBytes: number
  readonly recordBytes?: number
}

/** Creates a header with a random id. Every upload needs a new one, even of the same file. */
export function createFileHeader({
  kind,
  plainBytes,
  recordBytes = standardRecordBytes,
  ...limits
}: CreateFileHeaderInput): FileHeader {
  const recordCount = recordCountOf(plainBytes, recordBytes)
  const header = { kind, fileUid: randomBytes(fileUidBytes), recordBytes, recordCount, plainBytes }
  validateSizes(header, limits)
  return header
}

export function encodeFileHeader({ kind, fileUid, recordBytes, recordCount, plainBytes }: FileHeader): Bytes {
  if (fileUid.length !== fileUidBytes) throw malformed('A file id has 16 bytes')
  const encoded = new Uint8Array(headerBytes)
  const view = viewOf(encoded)
  encoded.set(magic)
  encoded.set([version, suite, byteOfKind[kind], 0], 4)
  encoded.set(fileUid, 8)
  view.setUint32(24, recordBytes)
  view.setUint32(28, recordCount)
  view.setBigUint64(32, BigInt(plainBytes))
  return encoded
}

/** Throws `unsupported-version` for unknown versions, and `malformed` for inconsistent sizes. */
export function decodeFileHeader(encoded: Uint8Array, limits: HeaderLimits = {}): FileHeader {
  if (encoded.length < headerBytes) throw new CryptoError('truncated', 'A file header has 40 bytes')
  if (encoded.length > headerBytes || !startsWith(encoded, magic)) throw malformed('This is not a file header')
  const kind = kindOfByte.get(encoded[6] ?? 0)
  if (encoded[4] !== version || encoded[5] !== suite || encoded[7] !== 0 || !kind) {
    throw unsupported('The file header is of an unknown version, suite or kind')
  }
  const view = viewOf(encoded)
  const header = {
    kind,
    fileUid: new Uint8Array(encoded.subarray(8, 24)),
    recordBytes: view.getUint32(24),
    recordCount: view.getUint32(28),
    plainBytes: Number(view.getBigUint64(32)),
  }
  validateSizes(header, limits)
  return header
}

function validateSizes({ recordBytes, recordCount, plainBytes }: FileHeader, limits: HeaderLimits): void {
  const smallest = limits.smallestRecordBytes ?? smallestRecordBytes
  const isPowerOfTwo = Number.isInteger(Math.log2(recordBytes))
  if (!isPowerOfTwo || recordBytes < smallest || recordBytes > largestRecordBytes) {
    throw malformed('The record size must be a power of two from 64 KiB to 32 MiB')
  }
  if (!Number.isSafeInteger(plainBytes) || plainBytes < 0) throw malformed('The size of the file is out of range')
  if (recordCount > largestCount) throw malformed('The file has too many records')
  if (recordCount !== recordCountOf(plainBytes, recordBytes)) throw malformed('The number of records is wrong')
}
