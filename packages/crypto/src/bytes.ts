/** Bytes that no other thread can change, the only ones WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export const utf8 = (text: string): Bytes => encoder.encode(text)

/** Throws a TypeError on anything but well-formed UTF-8; a byte order mark is part of the text. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(unshared(bytes))

export function concatBytes(...parts: readonly ArrayLike<number>[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** Takes the same time wherever the first difference is. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0)
  return difference === 0
}

export const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  bytes.length >= prefix.length && equalBytes(bytes.subarray(0, prefix.length), prefix)

/** The same bytes; a copy only of shared memory, which could change while it is being sealed. */
export const unshared = (bytes: Uint8Array): Bytes =>
  bytes.buffer instanceof ArrayBuffer ? (bytes as Bytes) : new Uint8Array(bytes)

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
