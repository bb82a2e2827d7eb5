/** Crockford's base32 alphabet, which has no characters that look alike. */
export const backupCodeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** The characters of each of the two groups. */
export const backupCodeGroup = 7

const group = `[${backupCodeAlphabet}]{${backupCodeGroup}}`
/** Two groups with a dash between them, the minus sign included. Anything may follow, as in a list without line breaks. */
const dashedCode = new RegExp(`(?<![0-9a-z])${group}\\s*[\\p{Pd}\\u2212]+\\s*${group}`, 'u')
/** Two groups in one word. */
const wordOfCode = new RegExp(`(?<![0-9a-z])${group}${group}(?![0-9a-z])`, 'g')
/** Entities of HTML, the soft line breaks and marks of emails, and invisible characters. */
const inserted = /&#?\w+;|=\r?\n|\r?\n[ >]*>|\p{DI}/gu

/**
 * Returns the letters and digits of a typed or copied backup code in lower case. Ignores what other programs insert into
 * it, in which way its groups are separated, and a text before or after it. Reads o, i and l as the digits that they look
 * like. The result is some other text, which is no code, if the code cannot be found.
 */
export function normalizeBackupCode(text: string): string {
  const readable = text.replace(inserted, '').normalize('NFKC').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')
  const code = dashedCode.exec(readable)?.[0] ?? readable.match(wordOfCode)?.at(-1) ?? readable
  return code.replace(/[^0-9a-z]/g, '').slice(-2 * backupCodeGroup)
}
