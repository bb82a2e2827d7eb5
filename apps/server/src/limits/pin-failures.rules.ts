import { pinLimits } from '@sallyport/contract/limits'

/** Wrong PINs from one source; times in epoch milliseconds. */
export interface PinFailures {
  readonly failures: number
  readonly windowEndsAt: number
  readonly lockEndsAt: number
  /** How often it was locked out. */
  readonly locks: number
}

interface Limit {
  readonly points: number
  readonly windowSeconds: number
}

export const noFailures: PinFailures = { failures: 0, windowEndsAt: 0, lockEndsAt: 0, locks: 0 }

/** The record after one more wrong PIN. The last one that is allowed locks the source out, each time for longer. */
export function afterFailure(before: PinFailures, limit: Limit, now: number): PinFailures {
  const isOpen = now < before.windowEndsAt
  const failures = (isOpen ? before.failures : 0) + 1
  const windowEndsAt = isOpen ? before.windowEndsAt : now + limit.windowSeconds * 1000
  if (failures < limit.points) return { ...before, failures, windowEndsAt }
  const lockMs = Math.min(pinLimits.longestLockMs, pinLimits.shortestLockMs * 2 ** before.locks)
  return { failures, windowEndsAt, lockEndsAt: Math.max(windowEndsAt, now + lockMs), locks: before.locks + 1 }
}

/** For how long nothing more is taken from the source; 0 when it may try. */
export const lockedForMs = ({ lockEndsAt }: PinFailures, now: number): number => Math.max(0, lockEndsAt - now)

/** Wrong PINs of a day up to which the PIN alone lets people in. */
export const freeFailures = (joinsOfDay: number): number =>
  Math.max(pinLimits.freeFailuresPerDay, Math.floor(joinsOfDay * pinLimits.failuresPerJoin))
