export interface RecoveryLink {
  readonly token: string
  /** Needed where the token is a code of digits. */
  readonly email: string
}

/** What a password link says after its #, or in its query as the specification has it; null for an incomplete one. */
export function readRecoveryLink({ search, hash }: Pick<Location, 'search' | 'hash'>): RecoveryLink | null {
  const query = new URLSearchParams(search)
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const read = (name: string): string => fragment.get(name) ?? query.get(name) ?? ''
  const token = read('token')
  const email = read('email')
  if (token === '' || read('type') !== 'recovery') return null
  return isCode(token) && email === '' ? null : { token, email }
}

/** A code that was typed off a mail, in place of the link's own token. */
export const isCode = (token: string): boolean => /^[0-9]{6,10}$/.test(token)
