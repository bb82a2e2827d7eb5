import { sweepLimits } from '@sallyport/contract/server-limits'

interface Clocks {
  /** Epoch milliseconds, as the database tells them. */
  readonly now: () => number
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic: () => number
}

/**
 * Answers, each time it is asked, by how far the clock was set since it was asked last; 0 for less than an hour.
 * What is removed by a wrong clock cannot be brought back.
 */
export function watchClock({ now, monotonic }: Clocks): () => number {
  let before: { readonly now: number; readonly monotonic: number } | null = null
  return () => {
    const present = { now: now(), monotonic: monotonic() }
    const jumpMs = before ? present.now - before.now - (present.monotonic - before.monotonic) : 0
    before = present
    return Math.abs(jumpMs) > sweepLimits.clockJumpMs ? jumpMs : 0
  }
}
