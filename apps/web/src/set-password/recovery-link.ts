export interface RecoveryLink {
  readonly token: string
  /** Needed where the token is a code of digits. */
  readonly email: string
}

/** What a password link says in its query; null for one that is not whole. */
export function readRecoveryLink({ search }: Pick<Location, 'search'>): RecoveryLink | null {
  const query = new URLSearchParams(search)
  const token = query.get('token') ?? ''
  const email = query.get('email') ?? ''
  if (token === '' || query.get('type') !== 'recovery') return null
  return isCode(token) && email === '' ? null : { token, email }
}

/** A code that was typed off a mail, in place of the link's own token. */
export const isCode = (token: string): boolean => /^[0-9]{6,10}$/.test(token)
