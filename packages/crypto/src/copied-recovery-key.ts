import type { Bytes } from './bytes.ts'
import { decodeRecoveryKey, recoveryKeyCharacters } from './recovery-key.ts'

/** Letters of a label that may precede a copied key. */
const maxLabelLetters = 200

/**
 * The letters and digits of a typed or copied recovery key, in upper case. Ignores everything else, such as the dashes,
 * spaces, marks and entities that other programs put between them.
 */
export const recoveryKeyLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/&#?\w+;/g, '')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')

/**
 * Finds a recovery key in a copied text, which may contain a label as well. Throws `truncated` if there are too few
 * letters, and `malformed` if no part has the right checksum.
 */
export async function findRecoveryKey(text: string): Promise<Bytes> {
  const letters = recoveryKeyLetters(text)
  // A label consists of letters, too. The checksum shows where the key begins.
  const last = Math.min(Math.max(0, letters.length - recoveryKeyCharacters), maxLabelLetters)
  for (let start = 0; ; start += 1) {
    try {
      return await decodeRecoveryKey(letters.slice(start, start + recoveryKeyCharacters))
    } catch (error) {
      if (start >= last) throw error
    }
  }
}
