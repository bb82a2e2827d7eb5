import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Encodes bytes whose number of bits is a multiple of 5, so that there are no unused bits. */
export function toCrockfordBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bufferedBits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bufferedBits += 8
    while (bufferedBits >= 5) {
      bufferedBits -= 5
      text += alphabet.charAt((buffer >> bufferedBits) & 31)
    }
    buffer &= (1 << bufferedBits) - 1
  }
  return text
}

/** Decodes typed input: any case, O for 0, I and L for 1, spaces and hyphens anywhere. */
export function fromCrockfordBase32(text: string): Bytes {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8))
  let buffer = 0
  let bufferedBits = 0
  let offset = 0
  for (const letter of letters) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw malformed('A character is not in the Crockford alphabet')
    buffer = (buffer << 5) | value
    bufferedBits += 5
    if (bufferedBits < 8) continue
    bufferedBits -= 8
    bytes[offset] = buffer >> bufferedBits
    offset += 1
    buffer &= (1 << bufferedBits) - 1
  }
  return bytes
}
