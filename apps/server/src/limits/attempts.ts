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
  /** Takes one attempt back, where only failures are meant to count. */
  forgive(key: string): Promise<void>
}

interface Window {
  count: number
  readonly until: number
}

const tidyEveryMs = 60_000

/** Counts for one process. Attempts under way count too, so that many at once cannot slip through together. */
export function createLocalAttempts(now: () => number): Attempts {
  const windows = new Map<string, Window>()
  let tidyAt = now() + tidyEveryMs

  function forgetEnded(): void {
    if (now() < tidyAt) return
    tidyAt = now() + tidyEveryMs
    for (const [key, { until }] of windows) if (until <= now()) windows.delete(key)
  }

  function windowOf(key: string, limit: Limit): Window {
    const known = windows.get(key)
    if (known && known.until > now()) return known
    const opened = { count: 0, until: now() + limit.windowSeconds * 1000 }
    windows.set(key, opened)
    return opened
  }

  return {
    async allow(key, limit) {
      forgetEnded()
      const window = windowOf(key, limit)
      if (window.count >= limit.points) {
        return { allowed: false, retryAfterSeconds: Math.ceil((window.until - now()) / 1000) }
      }
      window.count += 1
      return { allowed: true, retryAfterSeconds: 0 }
    },
    async forgive(key) {
      const window = windows.get(key)
      if (window) window.count = Math.max(0, window.count - 1)
    },
  }
}
