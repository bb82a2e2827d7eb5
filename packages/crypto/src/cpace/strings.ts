import { type Bytes, concatBytes } from '../bytes.ts'

/** Prepends the length of the bytes, encoded as unsigned LEB128. */
export function prependLength(bytes: Uint8Array): Bytes {
  const length: number[] = []
  let rest = bytes.length
  do {
    const group = rest & 0x7f
    rest >>>= 7
    length.push(rest > 0 ? group | 0x80 : group)
  } while (rest > 0)
  return concatBytes(length, bytes)
}

/** Joins byte strings unambiguously. */
export const lengthPrefixed = (...parts: readonly Uint8Array[]): Bytes => concatBytes(...parts.map(prependLength))

/** Parses byte strings that were joined by `lengthPrefixed`; null for anything else. */
export function parseLengthPrefixed(bytes: Bytes): Bytes[] | null {
  const parts: Bytes[] = []
  let offset = 0
  while (offset < bytes.length) {
    let length = 0
    for (let shift = 0, group = 0x80; group >= 0x80; shift += 7) {
      group = bytes[offset] ?? 0x80
      if (offset >= bytes.length || shift > 21) return null
      length |= (group & 0x7f) << shift
      offset += 1
    }
    if (offset + length > bytes.length) return null
    parts.push(bytes.slice(offset, offset + length))
    offset += length
  }
  return parts
}

interface GeneratorInput {
  readonly domain: Uint8Array
  readonly password: Uint8Array
  readonly context: Uint8Array
  readonly exchangeId: Uint8Array
}

const hashBlockBytes = 128

/** The input of the hash for the generator: the password is padded to a whole hash block, whatever its length. */
export function generatorString({ domain, password, context, exchangeId }: GeneratorInput): Bytes {
  const usedBytes = prependLength(password).length + prependLength(domain).length + 1
  const padding = new Uint8Array(Math.max(0, hashBlockBytes - usedBytes))
  return lengthPrefixed(domain, password, padding, context, exchangeId)
}
