import { expirationLimits, sessionLimits } from '@sallyport/contract/limits'
import { refuse } from '../errors.ts'

const minuteMs = 60_000
const ofFiles: readonly number[] = expirationLimits.offeredMinutes
const ofSessionFiles: readonly number[] = sessionLimits.offeredMinutes

/** Refuses lifetimes that nobody is offered, be it for files of their own or for those of a session. */
export function requireOffered(minutes: number, place: 'own' | 'session' = 'own'): void {
  const offered = place === 'session' ? ofSessionFiles : ofFiles
  if (!offered.includes(minutes)) throw refuse('EXPIRATION_NOT_OFFERED')
}

/** The very millisecond at which a file is gone. */
export const endOfLife = (from: number, minutes: number): number => from + minutes * minuteMs
