import type { SignInPolicy } from '@sallyport/contract/auth'
import type { Challenge } from '../one-time/one-time-tokens.ts'
import { refuseAuth } from './auth-refusal.ts'

export const policyOf = (headers: { 'x-session-policy'?: SignInPolicy | undefined }): SignInPolicy =>
  headers['x-session-policy'] ?? 'short'

interface Challenging {
  readonly code_challenge?: string | null | undefined
  readonly code_challenge_method?: string | null | undefined
}

/**
 * What binds a link to the browser that asks for it; null when the link may be opened anywhere. A strict server binds no
 * link: whoever types somebody's address could otherwise have links mailed that are of no use to their recipient.
 */
export function challengeOf(
  { code_challenge: value, code_challenge_method: method }: Challenging,
  { strict }: { readonly strict: boolean },
): Challenge | null {
  if (strict || (!value && !method)) return null
  const named = method?.toLowerCase()
  if (value && value.length >= 43 && value.length <= 128 && (named === 's256' || named === 'plain')) {
    return { value, method: named }
  }
  throw refuseAuth('validation_failed', {
    text: 'code challenge does not match the format of RFC 7636, or its method is missing',
  })
}
