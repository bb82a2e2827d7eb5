import type { SignInPolicy } from '@sallyport/contract/auth'
import { signInLimits } from '@sallyport/contract/limits'
import { tokenLimits } from '@sallyport/contract/server-limits'

interface Life {
  readonly policy: SignInPolicy
  readonly createdAt: number
}

/** When a sign-in that is made or refreshed now ends. Only a remembered one slides, and none outlives the absolute cap. */
export function signInEnd({ policy, createdAt }: Life, now: number): number {
  if (policy === 'short') return createdAt + signInLimits.shortMs
  return Math.min(now + signInLimits.rememberedMs, createdAt + signInLimits.absoluteMs)
}

/** A sign-in is over at the very millisecond it ends. */
export const hasEnded = (notAfter: number, now: number): boolean => now >= notAfter

interface PresentedToken {
  /** Null while it is the current one. */
  readonly revokedAt: number | null
  readonly isParentOfCurrent: boolean
}

/**
 * What a refresh token is worth when it is shown: a new one (`rotate`), the current one once more (`repeat`), or proof
 * that two parties hold it (`reused`). The parent of the current token may be a client that retries after it lost the
 * answer, but only for as long as a client retries: later it comes from a copy.
 */
export function judgeRefresh(token: PresentedToken, now: number): 'rotate' | 'repeat' | 'reused' {
  if (token.revokedAt === null) return 'rotate'
  const allowedMs = token.isParentOfCurrent ? tokenLimits.refreshReuseMs : tokenLimits.refreshOverlapMs
  if (now - token.revokedAt <= allowedMs) return 'repeat'
  return 'reused'
}
