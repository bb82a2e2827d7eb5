import { attemptLimits } from '@sallyport/contract/server-limits'

/** So many attempts in a window that starts with the first of them. */
export interface Limit {
  readonly points: number
  readonly windowSeconds: number
  /** Set where a secret is guessed at: without a count there are no such attempts. */
  readonly guesses?: true
}

interface Verdict {
  readonly allowed: boolean
  /** Until the window ends; 0 when the attempt is allowed. */
  readonly retryAfterSeconds: number
}

/** Counts attempts under keys. Several nodes may share the count. */
export interface Attempts {
  /** Counts one attempt; a refused one is not counted. */
  allow(key: string, limit: Limit): Promise<Verdict>
  /** Takes one attempt back, where only failures are meant to count; a window without attempts is deleted. */
  forgive(key: string): Promise<void>
}

interface Window {
  count: number
  readonly until: number
}

/**
 * Counts for one process. Attempts under way count too, so that many at once cannot slip through together. Keys hold
 * what callers invent, so that there is a bound on windows: past it the one that ends soonest goes, among those of the
 * window length that has the most. A flood of one kind of request therefore displaces its own windows first.
 */
export function createLocalAttempts(now: () => number, most: number = attemptLimits.windows): Attempts {
  /** By the length of the window in seconds, so that each map lists its windows in the order in which they end. */
  const lengths = new Map<number, Map<string, Window>>()
  let size = 0

  function remove(windows: Map<string, Window>, key: string): void {
    if (windows.delete(key)) size -= 1
  }

  function removeEnded(): void {
    for (const windows of lengths.values()) {
      for (const [key, { until }] of windows) {
        if (until > now()) break
        remove(windows, key)
      }
    }
  }

  function removeOne(): void {
    const largest = [...lengths.values()].reduce((one, other) => (other.size > one.size ? other : one))
    const [soonest] = largest.keys()
    if (soonest !== undefined) remove(largest, soonest)
  }

  function windowOf(key: string, { windowSeconds }: Limit): Window {
    const windows = lengths.get(windowSeconds) ?? new Map<string, Window>()
    lengths.set(windowSeconds, windows)
    const known = windows.get(key)
    if (known && known.until > now()) return known
    remove(windows, key)
    if (size >= most) removeOne()
    const opened = { count: 0, until: now() + windowSeconds * 1000 }
    windows.set(key, opened)
    size += 1
    return opened
  }

  return {
    async allow(key, limit) {
      removeEnded()
      const window = windowOf(key, limit)
      if (window.count >= limit.points) {
        return { allowed: false, retryAfterSeconds: Math.ceil((window.until - now()) / 1000) }
      }
      window.count += 1
      return { allowed: true, retryAfterSeconds: 0 }
    },
    async forgive(key) {
      for (const windows of lengths.values()) {
        const window = windows.get(key)
        if (!window) continue
        window.count -= 1
        if (window.count <= 0) remove(windows, key)
      }
    },
  }
}
