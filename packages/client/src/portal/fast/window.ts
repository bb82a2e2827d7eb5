/** How many bytes may be on their way, found from how long they take. All times in milliseconds. */
export interface Window {
  bytes(): number
  /** Told with every acknowledgement: when, how long the newest frame took, and how much was on its way. */
  acknowledged(at: number, roundTrip: number, inFlight: number): void
  /** Told when nothing arrived for a while. */
  stalled(at: number): void
  /** How long to wait for an acknowledgement before it counts as a stall. */
  patience(): number
}

const kilobyte = 1024
/** The longest there are, with all that is around a chunk. */
const frame = 65 * kilobyte
/** A transport that has run empty begins again with a few packets for each answer, so it never has less than this. */
const smallest = 3 * frame
/** Waits on the line beside what fills it. */
const spare = 64 * kilobyte
const largest = 8 * 1024 * kilobyte
const step = 32 * kilobyte
const minimumKeptMs = 30_000

/**
 * A window that follows the delay: it grows while frames do not queue, and shrinks when they begin to. A window of fixed
 * size either leaves a long link idle or floods a short one until it drops frames.
 */
export function createWindow(startedAt: number): Window {
  let size = smallest
  let least = Number.POSITIVE_INFINITY
  let nextLeast = Number.POSITIVE_INFINITY
  let leastSince = startedAt
  let smooth = 0
  let isStarting = true
  let shrunkAt = Number.NEGATIVE_INFINITY
  let grownAt = startedAt

  function learn(at: number, roundTrip: number): void {
    smooth = smooth === 0 ? roundTrip : smooth + (roundTrip - smooth) / 5
    least = Math.min(least, roundTrip)
    nextLeast = Math.min(nextLeast, roundTrip)
    if (at - leastSince < minimumKeptMs) return
    least = nextLeast
    nextLeast = Number.POSITIVE_INFINITY
    leastSince = at
  }

  return {
    bytes: () => size,
    acknowledged(at, roundTrip, inFlight) {
      learn(at, roundTrip)
      const queued = smooth - least
      const limit = Math.max(40, least / 4)
      // So much came through within the shortest time there is, and more may.
      const needed = 1.5 * inFlight * (least / Math.max(1, smooth)) + spare
      const isQueued = queued > limit
      if (isQueued) isStarting = false
      if (isQueued && needed <= size) {
        if (at - shrunkAt < 1.2 * smooth) return
        shrunkAt = at
        size = Math.max(smallest, needed, size * (queued > 2.5 * limit ? 0.7 : 0.88))
        return
      }
      // A window that has no room for one more frame is used, however little is in it.
      if (inFlight + frame < 0.6 * size || at - grownAt < smooth) return
      grownAt = at
      const grown = isStarting && queued < 0.4 * limit ? size * 1.25 : size + step
      size = Math.min(largest, isQueued ? needed : Math.max(grown, needed))
    },
    stalled(at) {
      isStarting = false
      shrunkAt = at
      size = Math.max(smallest, size / 2)
    },
    patience: () => Math.max(1000, 4 * smooth),
  }
}
