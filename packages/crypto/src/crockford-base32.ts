import type { Bytes } from './bytes.ts'

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

/**
 * The letters of the alphabet in a typed or copied text, in upper case: O is read as 0, I and L as 1, full-width letters
 * as plain ones. Everything else is ignored, such as the dashes, spaces, marks and entities that other programs insert.
 */
export const crockfordLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/&#?\w+;/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-HJKMNP-TV-Z]/g, '')

/** Decodes a typed or copied text. */
export function fromCrockfordBase32(text: string): Bytes {
  const letters = crockfordLetters(text)
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8))
  let buffer = 0
  let bufferedBits = 0
  let offset = 0
  for (const letter of letters) {
    buffer = (buffer << 5) | alphabet.indexOf(letter)
    bufferedBits += 5
    if (bufferedBits < 8) continue
    bufferedBits -= 8
    bytes[offset] = buffer >> bufferedBits
    offset += 1
    buffer &= (1 << bufferedBits) - 1
  }
  return bytes
}
