export type ConfirmationLink =
  | { readonly kind: 'token'; readonly tokenHash: string }
  /** The auth provider has rejected the link already. The description is untrusted input. */
  | { readonly kind: 'refused'; readonly code: string; readonly description: string }
  | { readonly kind: 'invalid' }

/** Parses a confirmation link from its query or fragment. */
export function readConfirmationLink({ search, hash }: Pick<Location, 'search' | 'hash'>): ConfirmationLink {
  const query = new URLSearchParams(search)
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const read = (name: string): string => query.get(name) ?? fragment.get(name) ?? ''

  const code = read('error_code')
  const description = read('error_description')
  if (code || description) return { kind: 'refused', code, description: description || code }
  const tokenHash = read('token_hash')
  return tokenHash && read('type') === 'email' ? { kind: 'token', tokenHash } : { kind: 'invalid' }
}
