import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const notInAlphabet = 64
const valueOfCode = new Uint8Array(128).fill(notInAlphabet)
for (const [value, letter] of [...alphabet].entries()) valueOfCode[letter.charCodeAt(0)] = value

/** Without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    heldBits += 8
    while (heldBits >= 6) {
      heldBits -= 6
      text += alphabet.charAt((held >> heldBits) & 63)
    }
    held &= (1 << heldBits) - 1
  }
  if (heldBits > 0) text += alphabet.charAt((held << (6 - heldBits)) & 63)
  return text
}

/** One text for every sequence of bytes: padding, blanks, other alphabets and unused bits that are set are malformed. */
export function fromBase64url(text: string): Bytes {
  if (text.length % 4 === 1) throw malformed('No base64url text has this length')
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let held = 0
  let heldBits = 0
  let offset = 0
  for (let index = 0; index < text.length; index += 1) {
    const value = valueOfCode[text.charCodeAt(index)] ?? notInAlphabet
    if (value === notInAlphabet) throw malformed('A character is not of the base64url alphabet')
    held = (held << 6) | value
    heldBits += 6
    if (heldBits < 8) continue
    heldBits -= 8
    bytes[offset] = held >> heldBits
    offset += 1
    held &= (1 << heldBits) - 1
  }
  if (held !== 0) throw malformed('The unused bits of the last character are not zero')
  return bytes
}
