const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 4
const groupLength = 5

/** Number of random characters in a key, without the check character. */
export const keyCharacters = groups * groupLength - 1

/** Formats random bytes, one per character, as a key: `SP-XXXXX-XXXXX-XXXXX-XXXXX`. */
export function formatLicenceKey(bytes: Uint8Array): string {
  const randomDigits = Array.from(bytes.subarray(0, keyCharacters), (byte) => byte % alphabet.length)
  const digits = [...randomDigits, checkDigit(randomDigits)]
  const text = digits.map((digit) => alphabet[digit]).join('')
  return `SP-${text.match(/.{5}/g)?.join('-')}`
}

/** Finds the key in a typed or copied text. Returns null if there is none with the right check character. */
export function licenceKeyNormalForm(typed: string): string | null {
  const characters = typed
    .normalize('NFKC')
    .replace(/&#?\w+;/g, '')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  for (const [, text = ''] of characters.matchAll(/(?=SP([0-9A-Z]{20}))/g)) {
    if (hasCheckCharacter(text)) return `SP-${text.match(/.{5}/g)?.join('-')}`
  }
  return null
}

function hasCheckCharacter(text: string): boolean {
  const digits = [...text].map((character) => alphabet.indexOf(character))
  const last = digits.pop()
  return !digits.includes(-1) && last === checkDigit(digits)
}

/** Luhn algorithm in base 32: detects every single wrong character and nearly every swap of two neighbours. */
function checkDigit(digits: readonly number[]): number {
  const base = alphabet.length
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + Math.floor(weighted / base) + (weighted % base)
  }, 0)
  return (base - (sum % base)) % base
}
