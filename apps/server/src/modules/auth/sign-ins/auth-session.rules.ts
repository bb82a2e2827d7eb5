import type { SessionLifetime } from '@sallyport/contract/auth'
import { authSessionLimits } from '@sallyport/contract/limits'
import { tokenLimits } from '@sallyport/contract/server-limits'

interface AuthSessionTerms {
  readonly sessionLifetime: SessionLifetime
  readonly createdAt: number
}

/** Returns when a session created or refreshed now ends. Only a remembered one slides, up to the absolute maximum. */
export function authSessionEnd({ sessionLifetime, createdAt }: AuthSessionTerms, now: number): number {
  if (sessionLifetime === 'short') return createdAt + authSessionLimits.shortMs
  return Math.min(now + authSessionLimits.rememberedMs, createdAt + authSessionLimits.absoluteMs)
}

/** True from the exact millisecond at which the session ends. */
export const hasEnded = (notAfter: number, now: number): boolean => now >= notAfter

interface PresentedToken {
  /** Null while the token is the current one. */
  readonly revokedAt: number | null
  readonly isParentOfCurrent: boolean
}

/**
 * Decides how to respond to a refresh token: with a new token (`rotate`), with the current one again (`repeat`), or by
 * detecting that two parties hold it (`reused`). The parent of the current token may come from a client that retries
 * after a lost response, but only while clients retry; later it comes from a copy.
 */
export function classifyRefresh(token: PresentedToken, now: number): 'rotate' | 'repeat' | 'reused' {
  if (token.revokedAt === null) return 'rotate'
  const allowedMs = token.isParentOfCurrent ? tokenLimits.refreshReuseMs : tokenLimits.refreshOverlapMs
  if (now - token.revokedAt <= allowedMs) return 'repeat'
  return 'reused'
}
