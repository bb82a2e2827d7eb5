/** Dashes that other programs put in the place of hyphens, the minus sign included. */
const dashes = /[\p{Pd}\u2212]/gu
/** Invisible characters, the soft line breaks of quoted-printable mails, and the marks of quoted lines. */
const inserted = /=\r?\n|\r?\n[ >]*>|\p{DI}/gu
const maxDecodings = 3

/**
 * Finds a base64url secret of a known length in the fragment of a copied link: undoes percent-encoding, removes what mail
 * and chat programs insert into a link or append to it, and restores its hyphens. Null if there is none of this length.
 */
export function findCopiedSecret(text: string, length: number): string | null {
  const cleaned = decodePercent(text).replace(inserted, '').normalize('NFKC')
  // A space ends the link or was inserted into it, and two hyphens may have become one dash.
  for (const candidate of [cleaned, cleaned.replace(/\s/g, '')]) {
    for (const hyphens of ['-', '--']) {
      const secret = /[\w-]+/.exec(candidate.replace(dashes, (dash) => (dash === '-' ? dash : hyphens)))?.[0]
      if (secret?.length === length) return secret
    }
  }
  return null
}

/** Undoes the percent-encodings of several programs; what is none stays. */
export function decodePercent(text: string): string {
  let decoded = text
  for (let count = 0; count < maxDecodings && /%[\da-f]{2}/i.test(decoded); count += 1) {
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return decoded
    }
  }
  return decoded
}
