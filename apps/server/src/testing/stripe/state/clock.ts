/** The clock of the Stripe test server, which a test can move forward. */
export interface StripeClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The same in whole seconds, as in the API. */
  readonly seconds: () => number
  readonly advance: (ms: number) => void
  /** Runs a function as if it were that time. */
  readonly runAt: (seconds: number, run: () => void) => void
}

/** Creates a clock that adds what it was advanced by to the time of another. */
export function createClock(source: () => number): StripeClock {
  let offset = 0
  let fixed: number | null = null
  const now = (): number => fixed ?? source() + offset
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance: (ms) => {
      offset += ms
    },
    runAt(seconds, run) {
      fixed = seconds * 1000
      try {
        run()
      } finally {
        fixed = null
      }
    },
  }
}
