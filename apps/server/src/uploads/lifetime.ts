import { expirationLimits } from '@sallyport/contract/limits'
import { refuse } from '../errors.ts'

const minuteMs = 60_000
const offered: readonly number[] = expirationLimits.offeredMinutes

/** Refuses lifetimes that nobody is offered. */
export function requireOffered(minutes: number): void {
  if (!offered.includes(minutes)) throw refuse('EXPIRATION_NOT_OFFERED')
}

/** The very millisecond at which a file is gone. */
export const endOfLife = (from: number, minutes: number): number => from + minutes * minuteMs
