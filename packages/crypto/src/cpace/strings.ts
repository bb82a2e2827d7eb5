import { type Bytes, concatBytes } from '../bytes.ts'

/** Bytes behind their own length, which is written in groups of seven bits, lowest first. */
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

/** Several byte strings as one that can be taken apart in one way only. */
export const lengthPrefixed = (...parts: readonly Uint8Array[]): Bytes => concatBytes(...parts.map(prependLength))

/** The byte strings that `lengthPrefixed` has put together; null for what it has not. */
export function readLengthPrefixed(bytes: Bytes): Bytes[] | null {
  const parts: Bytes[] = []
  let at = 0
  while (at < bytes.length) {
    let length = 0
    for (let shift = 0, group = 0x80; group >= 0x80; shift += 7) {
      group = bytes[at] ?? 0x80
      if (at >= bytes.length || shift > 21) return null
      length |= (group & 0x7f) << shift
      at += 1
    }
    if (at + length > bytes.length) return null
    parts.push(bytes.slice(at, at + length))
    at += length
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

/** What both sides hash to find the generator: the password fills a whole block of the hash, whatever its length. */
export function generatorString({ domain, password, context, exchangeId }: GeneratorInput): Bytes {
  const taken = prependLength(password).length + prependLength(domain).length + 1
  const padding = new Uint8Array(Math.max(0, hashBlockBytes - taken))
  return lengthPrefixed(domain, password, padding, context, exchangeId)
}
