import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const blockBytes = 64
const marker = 0x80

/** Hides the exact length: appends a marker, then zeros up to a multiple of 64 bytes. */
export function pad(content: Uint8Array): Bytes {
  const paddedBytes = Math.ceil((content.length + 1) / blockBytes) * blockBytes
  const padded = new Uint8Array(paddedBytes)
  padded.set(content)
  padded[content.length] = marker
  return padded
}

/** Removes exactly what `pad` appends; rejects any other padding. */
export function unpad(padded: Bytes): Bytes {
  const end = padded.findLastIndex((byte) => byte !== 0)
  const isMinimal = padded.length % blockBytes === 0 && padded.length - end <= blockBytes
  if (end < 0 || padded[end] !== marker || !isMinimal) throw malformed('The padding is wrong')
  return padded.subarray(0, end)
}
