import { cleanToken, cleanType, emailedLinkParameters } from '../emailed-link-parameters.ts'

const linkTypes = ['email', 'signup', 'email_change'] as const

/** What a link confirms: the address of a new account, or a change of the address. */
export type ConfirmationType = (typeof linkTypes)[number]

export type ConfirmationLink =
  | { readonly kind: 'token'; readonly type: ConfirmationType; readonly tokenHash: string }
  /** The auth provider has rejected the link already. The description is untrusted input. */
  | { readonly kind: 'refused'; readonly code: string; readonly description: string }
  | { readonly kind: 'invalid' }

/** Parses a confirmation link from its query or fragment. */
export function readConfirmationLink(url: Pick<Location, 'search' | 'hash'>): ConfirmationLink {
  const read = emailedLinkParameters(url)
  const code = read('error_code')
  const description = read('error_description')
  if (code || description) return { kind: 'refused', code, description: description || code }
  const tokenHash = cleanToken(read('token_hash'))
  const typeText = cleanType(read('type'))
  const type = linkTypes.find((known) => known === typeText)
  return tokenHash && type ? { kind: 'token', type, tokenHash } : { kind: 'invalid' }
}
