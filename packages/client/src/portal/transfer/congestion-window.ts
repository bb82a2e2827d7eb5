/** A delay-based congestion window: how many bytes may be in flight. All times are in milliseconds. */
export interface CongestionWindow {
  bytes(): number
  /** Handles an acknowledgement: its time, the round trip of the newest frame and the bytes that were in flight. */
  onAck(at: number, roundTrip: number, inFlight: number): void
  /** Handles a period without acknowledgements. */
  onStall(at: number): void
  /** How long a missing acknowledgement may take before it counts as a stall. */
  stallTimeoutMs(): number
}

const kilobyte = 1024
/** The length of the largest frame, with all overhead. */
const maxFrameBytes = 65 * kilobyte
/** A transport that runs idle restarts slow start, so the window never shrinks below this. */
const minWindowBytes = 3 * maxFrameBytes
/** Bytes in flight beyond the bandwidth-delay product. */
const headroomBytes = 64 * kilobyte
const maxWindowBytes = 8 * 1024 * kilobyte
const growthBytes = 32 * kilobyte
const minRttLifetimeMs = 30_000

/**
 * The window grows while frames do not queue and shrinks when they do. A window of fixed size either leaves a long link
 * idle or floods a short one until it drops frames.
 */
export function createCongestionWindow(startedAt: number): CongestionWindow {
  let size = minWindowBytes
  let minRtt = Number.POSITIVE_INFINITY
  let nextMinRtt = Number.POSITIVE_INFINITY
  let minRttSince = startedAt
  let smoothedRtt = 0
  let isSlowStart = true
  let shrunkAt = Number.NEGATIVE_INFINITY
  let grownAt = startedAt

  function updateRtt(at: number, roundTrip: number): void {
    smoothedRtt = smoothedRtt === 0 ? roundTrip : smoothedRtt + (roundTrip - smoothedRtt) / 5
    minRtt = Math.min(minRtt, roundTrip)
    nextMinRtt = Math.min(nextMinRtt, roundTrip)
    if (at - minRttSince < minRttLifetimeMs) return
    minRtt = nextMinRtt
    nextMinRtt = Number.POSITIVE_INFINITY
    minRttSince = at
  }

  return {
    bytes: () => size,
    onAck(at, roundTrip, inFlight) {
      updateRtt(at, roundTrip)
      const queued = smoothedRtt - minRtt
      const limit = Math.max(40, minRtt / 4)
      // The bytes delivered per minimum round trip, with headroom for growth.
      const needed = 1.5 * inFlight * (minRtt / Math.max(1, smoothedRtt)) + headroomBytes
      const isQueued = queued > limit
      if (isQueued) isSlowStart = false
      if (isQueued && needed <= size) {
        if (at - shrunkAt < 1.2 * smoothedRtt) return
        shrunkAt = at
        size = Math.max(minWindowBytes, needed, size * (queued > 2.5 * limit ? 0.7 : 0.88))
        return
      }
      // A window without space for one more frame counts as fully used.
      if (inFlight + maxFrameBytes < 0.6 * size || at - grownAt < smoothedRtt) return
      grownAt = at
      const grown = isSlowStart && queued < 0.4 * limit ? size * 1.25 : size + growthBytes
      size = Math.min(maxWindowBytes, isQueued ? needed : Math.max(grown, needed))
    },
    onStall(at) {
      isSlowStart = false
      shrunkAt = at
      size = Math.max(minWindowBytes, size / 2)
    },
    stallTimeoutMs: () => Math.max(1000, 4 * smoothedRtt),
  }
}
