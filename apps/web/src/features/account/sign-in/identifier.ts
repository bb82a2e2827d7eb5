import type { AccountIdentifier } from '#/lib/keys/account-identifier.ts'

/** Parses the typed identifier: a phone number if it looks like one, otherwise an email address in lower case. */
export function identifierOf(typed: string): AccountIdentifier {
  const digits = typed.replace(/[\s().-]/g, '')
  return /^\+?[0-9]{6,15}$/.test(digits) ? { phone: digits } : { email: typed.trim().toLowerCase() }
}
