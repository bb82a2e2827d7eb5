import { cleanToken, cleanType, emailedLinkParameters } from '../emailed-link-parameters.ts'
import { normalizeTypedEmail } from '../sign-in/identifier.ts'

export interface RecoveryLink {
  readonly token: string
  /** Required if the token is a numeric code. */
  readonly email: string
}

/** The link was opened in this tab before, and its auth session is stored there. */
export const openedBefore = 'opened-before'

/** Parses a password link from the fragment, or from the query as in the specification; null if it is incomplete. */
export function readRecoveryLink(url: Pick<Location, 'search' | 'hash'>): RecoveryLink | null {
  const read = emailedLinkParameters(url)
  const token = cleanToken(read('token'))
  const email = normalizeTypedEmail(read('email').replace(/[<>()"”’»!?].*/s, ''))
  if (token === '' || cleanType(read('type')) !== 'recovery') return null
  return isCode(token) && email === '' ? null : { token, email }
}

/** Whether the token is a numeric code from an email instead of the token of the link. */
export const isCode = (token: string): boolean => /^[0-9]{6,10}$/.test(token)
