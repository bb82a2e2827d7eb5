import type { Bytes } from './bytes.ts'
import { malformed } from './errors.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** For bytes whose bits are a multiple of 5, so that no bit stays unused. */
export function toCrockfordBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    heldBits += 8
    while (heldBits >= 5) {
      heldBits -= 5
      text += alphabet.charAt((held >> heldBits) & 31)
    }
    held &= (1 << heldBits) - 1
  }
  return text
}

/** Reads what people type: any case, O for 0, I and L for 1, blanks and hyphens anywhere. */
export function fromCrockfordBase32(text: string): Bytes {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8))
  let held = 0
  let heldBits = 0
  let offset = 0
  for (const letter of letters) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw malformed('A character is not used in such keys')
    held = (held << 5) | value
    heldBits += 5
    if (heldBits < 8) continue
    heldBits -= 8
    bytes[offset] = held >> heldBits
    offset += 1
    held &= (1 << heldBits) - 1
  }
  return bytes
}
