export type Identifier = { readonly email: string } | { readonly phone: string }

/** What somebody typed to be known by: a phone number where it can be one, else an address, in lower case. */
export function identifierOf(typed: string): Identifier {
  const digits = typed.replace(/[\s().-]/g, '')
  return /^\+?[0-9]{6,15}$/.test(digits) ? { phone: digits } : { email: typed.trim().toLowerCase() }
}
