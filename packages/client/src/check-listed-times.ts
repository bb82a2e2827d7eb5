import type { ServerClock } from './server-clock.ts'

/** Epoch milliseconds. */
interface ListedTimes {
  readonly createdAt: number
  /** Null for what does not expire by itself. */
  readonly expiresAt: number | null
}

/** The latest time that a page can show. */
const maxTimeMs = 8.64e15
/** A response may take this long to arrive. */
const toleranceMs = 60_000

/**
 * Corrects a clock that contradicts what the server has just listed: all of it was created before now, and expires later.
 * So no false `Date`, of a proxy for example, hides what the server has.
 */
export function checkListedTimes(
  clock: Pick<ServerClock, 'now' | 'correct'>,
  listed: readonly ListedTimes[],
  deviceNow: number,
): void {
  let newest = Number.NEGATIVE_INFINITY
  let first = Number.POSITIVE_INFINITY
  for (const { createdAt, expiresAt } of listed) {
    newest = Math.max(newest, createdAt)
    first = Math.min(first, expiresAt ?? first)
  }
  // An empty list tells nothing, and neither does one that contradicts itself or has impossible times.
  if (!(newest > 0 && newest <= first && newest < maxTimeMs)) return
  const contradicts = (time: number) => time < newest - toleranceMs || time > first + toleranceMs
  if (contradicts(clock.now())) clock.correct(contradicts(deviceNow) ? newest : deviceNow)
}
