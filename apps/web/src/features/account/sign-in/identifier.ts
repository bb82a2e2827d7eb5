import type { AccountIdentifier } from '#/lib/keys/account-identifier.ts'

/** Parses the typed identifier: a phone number if it looks like one, otherwise an email address. */
export function identifierOf(typed: string): AccountIdentifier {
  const digits = plainCharacters(typed).replace(/[\s().-]/g, '')
  return /^\+?[0-9]{6,15}$/.test(digits) ? { phone: digits } : { email: normalizeTypedEmail(typed) }
}

/**
 * Returns the address in what was typed or pasted: `mailto:Ann@example.org`, `Ann <ann@example.org>` and an address at
 * the end of a sentence are `ann@example.org`. The server decides whether it is valid.
 */
export function normalizeTypedEmail(typed: string): string {
  const text = plainCharacters(typed)
  return (/<(.*)>/.exec(text)?.[1] ?? text)
    .trim()
    .replace(/^mailto:([^?]*).*/i, '$1')
    .replace(/[\s.,;]+$/, '')
    .replace(/\s*@\s*/, '@')
    .trim()
    .toLowerCase()
}

/** Replaces full-width and similar characters, and removes invisible ones. */
const plainCharacters = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '')
