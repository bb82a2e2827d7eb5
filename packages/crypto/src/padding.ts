import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const blockBytes = 64
const mark = 0x80

/** Hides the exact length: a mark, then zeros up to a multiple of 64 bytes. */
export function pad(content: Uint8Array): Bytes {
  const paddedBytes = Math.ceil((content.length + 1) / blockBytes) * blockBytes
  const padded = new Uint8Array(paddedBytes)
  padded.set(content)
  padded[content.length] = mark
  return padded
}

/** Takes back exactly what `pad` gives, and nothing that only looks like it. */
export function unpad(padded: Bytes): Bytes {
  const end = padded.findLastIndex((byte) => byte !== 0)
  const fits = padded.length % blockBytes === 0 && padded.length - end <= blockBytes
  if (end < 0 || padded[end] !== mark || !fits) throw malformed('The padding is wrong')
  return padded.subarray(0, end)
}
