import type { SessionLifetime } from '@sallyport/contract/auth'
import type { PkceChallenge } from '../one-time/one-time-tokens.ts'
import { authError } from './auth-error.ts'

export const sessionLifetimeOf = (headers: { 'x-session-policy'?: SessionLifetime | undefined }): SessionLifetime =>
  headers['x-session-policy'] ?? 'short'

type WithoutNulls<Fields> = { readonly [Name in keyof Fields]: Exclude<Fields[Name], null> }

/** The fields of a body without its nulls, which the protocol treats like missing fields. */
export const withoutNulls = <Fields extends object>(body: Fields): WithoutNulls<Fields> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as WithoutNulls<Fields>

interface PkceParameters {
  readonly code_challenge?: string | null | undefined
  readonly code_challenge_method?: string | null | undefined
}

/**
 * Reads the PKCE challenge that binds a link to the requesting browser; null when the link works in any browser. Strict
 * mode ignores it, because a stranger could otherwise have links emailed that are useless to their recipient.
 */
function pkceChallengeOf(
  { code_challenge: value, code_challenge_method: method }: PkceParameters,
  { strict }: { readonly strict: boolean },
): PkceChallenge | null {
  if (strict || (!value && !method)) return null
  const normalizedMethod = method?.toLowerCase()
  if (
    value &&
    value.length >= 43 &&
    value.length <= 128 &&
    (normalizedMethod === 's256' || normalizedMethod === 'plain')
  ) {
    return { value, method: normalizedMethod }
  }
  throw authError('validation_failed', {
    text: 'code challenge does not match the format of RFC 7636, or its method is missing',
  })
}

interface MessageRequest {
  readonly query: { readonly redirect_to?: string | undefined }
  readonly body: PkceParameters
  readonly address: string
  readonly userAgent: string | undefined
}

/** Creates the function that reads the fields of the calls that can send a message. */
export const createMessageFields =
  (settings: { readonly strict: boolean }) =>
  ({ query, body, address, userAgent }: MessageRequest) => ({
    challenge: pkceChallengeOf(body, settings),
    redirectTo: query.redirect_to,
    origin: { address, userAgent },
  })
