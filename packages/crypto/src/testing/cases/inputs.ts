import { concatBytes } from '@noble/hashes/utils.js'
import { headerOf, lockRecords, type Meta, metaFor, type Octets } from '../second-ef1.ts'

/** `length` bytes of increasing values. */
export const countingBytes = (start: number, length: number): Octets =>
  Uint8Array.from({ length }, (_, index) => start + index)

export const fileKey = countingBytes(0x00, 32)
export const fileUid = countingBytes(0x80, 16)
export const accountKey = countingBytes(0x40, 32)
export const shareKey = countingBytes(0x20, 32)
export const otherRoot = countingBytes(0xb0, 32)
export const iv = countingBytes(0x10, 12)

export const recordBytes = 16
export const stride = recordBytes + 28

export const ivOf = (index: number): Octets => countingBytes(0xa0 + 12 * index, 12)

export const plainOf = (size: number): Octets => Uint8Array.from({ length: size }, (_, index) => 31 * index + 5)

export const tinyMeta = (size: number, uid: Octets = fileUid): Meta => metaFor(1, uid, size, recordBytes)

/** Three records of 16, 16 and 12 bytes. */
export const threeRecords = tinyMeta(44)

/** The common input of every operation on a file. */
export const fileInput = (meta: Meta, key: Octets = fileKey): { fileKey: string; header: string } => ({
  fileKey: key.toHex(),
  header: headerOf(meta).toHex(),
})

export const recordsOf = (meta: Meta, key: Octets = fileKey): Octets[] =>
  lockRecords(key, meta, { plain: plainOf(meta.size), ivOf })

export const join = (...parts: Octets[]): Octets => concatBytes(...parts)

/** A copy with one byte changed. */
export function withByteChanged(bytes: Octets, offset: number, by = 1): Octets {
  const copy = bytes.slice()
  copy[offset] = (copy[offset] ?? 0) ^ by
  return copy
}

/** A copy with some bytes replaced. */
export function withBytesReplaced(bytes: Octets, offset: number, replacement: Octets): Octets {
  const copy = bytes.slice()
  copy.set(replacement, offset)
  return copy
}
