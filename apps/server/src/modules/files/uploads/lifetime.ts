import { expirationLimits, sessionLimits } from '@sallyport/contract/limits'
import { apiError } from '../../../errors.ts'

const minuteMs = 60_000
const fileLifetimes: readonly number[] = expirationLimits.offeredMinutes
const sessionFileLifetimes: readonly number[] = sessionLimits.offeredMinutes

/** Throws if this lifetime is not offered for files of an account or of a session. */
export function requireOfferedLifetime(minutes: number, scope: 'own' | 'session' = 'own'): void {
  const offered = scope === 'session' ? sessionFileLifetimes : fileLifetimes
  if (!offered.includes(minutes)) throw apiError('EXPIRATION_NOT_OFFERED')
}

/** The time, in epoch milliseconds, at which a file expires. */
export const computeExpiry = (from: number, minutes: number): number => from + minutes * minuteMs
