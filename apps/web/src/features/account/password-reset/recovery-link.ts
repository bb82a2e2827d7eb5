export interface RecoveryLink {
  readonly token: string
  /** Required if the token is a numeric code. */
  readonly email: string
}

/** The link was opened in this tab before, and its auth session is stored there. */
export const openedBefore = 'opened-before'

/** Parses a password link from the fragment, or from the query as in the specification; null if it is incomplete. */
export function readRecoveryLink({ search, hash }: Pick<Location, 'search' | 'hash'>): RecoveryLink | null {
  const query = new URLSearchParams(search)
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const read = (name: string): string => fragment.get(name) ?? query.get(name) ?? ''
  const token = read('token')
  const email = read('email')
  if (token === '' || read('type') !== 'recovery') return null
  return isCode(token) && email === '' ? null : { token, email }
}

/** Whether the token is a numeric code from an email instead of the token of the link. */
export const isCode = (token: string): boolean => /^[0-9]{6,10}$/.test(token)
