const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 4
const groupLength = 5

/** How many random characters a key is made of; one more checks them. */
export const keyCharacters = groups * groupLength - 1

/** A key of these random bytes, one for each character: `SP-XXXXX-XXXXX-XXXXX-XXXXX`. */
export function formatLicenceKey(bytes: Uint8Array): string {
  const drawn = Array.from(bytes.subarray(0, keyCharacters), (byte) => byte % alphabet.length)
  const digits = [...drawn, checkDigit(drawn)]
  const text = digits.map((digit) => alphabet[digit]).join('')
  return `SP-${text.match(/.{5}/g)?.join('-')}`
}

/** The one way a key is written, whatever way somebody typed it; null when it is none or was mistyped. */
export function licenceKeyNormalForm(typed: string): string | null {
  const written = typed.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const text = /^SP([0-9A-Z]{20})$/.exec(written)?.[1]
  const digits = [...(text ?? '')].map((character) => alphabet.indexOf(character))
  const last = digits.pop()
  if (last === undefined || digits.includes(-1) || last !== checkDigit(digits)) return null
  return `SP-${text?.match(/.{5}/g)?.join('-')}`
}

/** Luhn's formula over 32 digits: finds every single wrong character and nearly every two that were swapped. */
function checkDigit(digits: readonly number[]): number {
  const base = alphabet.length
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + Math.floor(weighted / base) + (weighted % base)
  }, 0)
  return (base - (sum % base)) % base
}
