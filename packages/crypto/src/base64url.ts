import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const notInAlphabet = 64
const valueOfCode = new Uint8Array(128).fill(notInAlphabet)
for (const [value, letter] of [...alphabet].entries()) valueOfCode[letter.charCodeAt(0)] = value

/** Encodes without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bufferedBits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bufferedBits += 8
    while (bufferedBits >= 6) {
      bufferedBits -= 6
      text += alphabet.charAt((buffer >> bufferedBits) & 63)
    }
    buffer &= (1 << bufferedBits) - 1
  }
  if (bufferedBits > 0) text += alphabet.charAt((buffer << (6 - bufferedBits)) & 63)
  return text
}

/**
 * Accepts exactly one text per byte sequence: padding, whitespace, other alphabets and non-zero unused bits are
 * malformed.
 */
export function fromBase64url(text: string): Bytes {
  if (text.length % 4 === 1) throw malformed('The length is not one of base64url')
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let buffer = 0
  let bufferedBits = 0
  let offset = 0
  for (let index = 0; index < text.length; index += 1) {
    const value = valueOfCode[text.charCodeAt(index)] ?? notInAlphabet
    if (value === notInAlphabet) throw malformed('A character is not in the base64url alphabet')
    buffer = (buffer << 6) | value
    bufferedBits += 6
    if (bufferedBits < 8) continue
    bufferedBits -= 8
    bytes[offset] = buffer >> bufferedBits
    offset += 1
    buffer &= (1 << bufferedBits) - 1
  }
  if (buffer !== 0) throw malformed('The unused bits of the last character are not zero')
  return bytes
}
