/** The server's time, as far as its answers tell it. */
export interface ServerClock {
  /** Epoch milliseconds by the server's clock; by the device's until the first answer. */
  now(): number
  /** Whether the server's time is known. */
  isKnown(): boolean
  /** Learns the time from the `Date` of an answer, whose request was sent at this time of `elapsed`. */
  observe(headers: Pick<Headers, 'get'>, sentAt: number): void
  /** Replaces a time that is known to be false, until answers have another one. */
  correct(time: number): void
}

interface ServerClockDeps {
  /** The device's clock in epoch milliseconds. It may be wrong, and be set at any time. */
  readonly deviceNow: () => number
  /** A monotonic clock in milliseconds. It may stop while the device sleeps. */
  readonly elapsed: () => number
  /** Sends a request whose answer is observed. */
  readonly ask: () => void
}

/** The two clocks of a device differ by more only if one was set, or the other stopped. */
const maxDriftMs = 2000
const askEveryMs = 10_000
const sameTimeMs = 60_000
/** Answers from caches have an earlier time, and time does not go back: it does so only if all answers agree for a while. */
const earlierForMs = 60_000

/**
 * Estimates the server's time from its answers, and counts what passes in between with a monotonic clock. The estimate is
 * for display and for reminders: what has expired is decided by the server.
 */
export function createServerClock({ deviceNow, elapsed, ask }: ServerClockDeps): ServerClock {
  const deviceOffset = () => deviceNow() - elapsed()
  let observedDevice = 0
  let askedAt = -askEveryMs
  /** The server's time minus `elapsed`; undefined until it is known. */
  let offset: number | undefined
  let falseOffset: number | undefined
  let earlierSince: number | undefined

  return {
    now() {
      const device = deviceOffset()
      if (offset !== undefined && Math.abs(device - observedDevice) > maxDriftMs && elapsed() - askedAt > askEveryMs) {
        askedAt = elapsed()
        ask()
      }
      return Math.floor(elapsed() + (offset ?? device))
    },
    isKnown: () => offset !== undefined,
    observe(headers, sentAt) {
      // The server wrote the date after the request was sent, and within a second after the beginning of its second.
      const date = Date.parse(headers.get('Date') ?? '')
      const lowest = date - elapsed()
      const highest = date + 1000 - sentAt
      const isFalse = falseOffset !== undefined && Math.abs(lowest - falseOffset) < sameTimeMs
      if (!(date > 0) || Number(headers.get('Age')) > 0 || isFalse) return
      observedDevice = deviceOffset()
      earlierSince = offset !== undefined && offset > highest + maxDriftMs ? (earlierSince ?? elapsed()) : undefined
      if (earlierSince !== undefined && elapsed() - earlierSince < earlierForMs) return
      offset = Math.max(lowest, Math.min(offset ?? observedDevice, highest))
    },
    correct(time) {
      falseOffset = offset
      offset = time - elapsed()
    },
  }
}
