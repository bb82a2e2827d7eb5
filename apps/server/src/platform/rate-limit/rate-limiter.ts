import { rateLimiterLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'

/** At most `points` attempts in a window that starts with the first of them. */
export interface RateLimit {
  readonly points: number
  readonly windowSeconds: number
  /** Set for guesses at a secret: they fail while they cannot be counted. */
  readonly guesses?: true
}

interface RateLimitResult {
  readonly allowed: boolean
  /** Until the window ends; 0 when the attempt is allowed. */
  readonly retryAfterSeconds: number
}

/** Counts attempts per key. Several nodes may share the count. */
export interface RateLimiter {
  /** Counts one attempt; a denied one is not counted. */
  allow(key: string, limit: RateLimit): Promise<RateLimitResult>
  /** Counts one attempt. Throws RATE_LIMITED when it is denied. */
  require(key: string, limit: RateLimit): Promise<void>
  /** Refunds one attempt, for limits that count failures only; a window without attempts is deleted. */
  refund(key: string): Promise<void>
}

/** Creates a rate limiter that counts by these functions. */
export const createRateLimiter = (counter: Omit<RateLimiter, 'require'>): RateLimiter => ({
  ...counter,
  async require(key, limit) {
    const { allowed, retryAfterSeconds } = await counter.allow(key, limit)
    if (!allowed) throw apiError('RATE_LIMITED', { retryAfterSeconds })
  },
})

interface Window {
  count: number
  readonly until: number
}

/**
 * Counts in one process. Attempts in progress count too, so that concurrent ones cannot pass together. Callers choose
 * keys freely, so the number of windows is bounded: beyond it, of the window length with the most windows, the one that
 * ends soonest is evicted. A flood of one kind of request therefore evicts its own windows first.
 */
export function createLocalRateLimiter(now: () => number, maxWindows: number = rateLimiterLimits.windows): RateLimiter {
  /** By the window length in seconds, so that each map lists its windows in the order of their end. */
  const windowsByLength = new Map<number, Map<string, Window>>()
  let size = 0

  function remove(windows: Map<string, Window>, key: string): void {
    if (windows.delete(key)) size -= 1
  }

  function removeEnded(): void {
    for (const windows of windowsByLength.values()) {
      for (const [key, { until }] of windows) {
        if (until > now()) break
        remove(windows, key)
      }
    }
  }

  function evictOne(): void {
    const largest = [...windowsByLength.values()].reduce((one, other) => (other.size > one.size ? other : one))
    const [soonest] = largest.keys()
    if (soonest !== undefined) remove(largest, soonest)
  }

  function windowOf(key: string, { windowSeconds }: RateLimit): Window {
    const windows = windowsByLength.get(windowSeconds) ?? new Map<string, Window>()
    windowsByLength.set(windowSeconds, windows)
    const known = windows.get(key)
    if (known && known.until > now()) return known
    remove(windows, key)
    if (size >= maxWindows) evictOne()
    const opened = { count: 0, until: now() + windowSeconds * 1000 }
    windows.set(key, opened)
    size += 1
    return opened
  }

  return createRateLimiter({
    async allow(key, limit) {
      removeEnded()
      const window = windowOf(key, limit)
      if (window.count >= limit.points) {
        return { allowed: false, retryAfterSeconds: Math.ceil((window.until - now()) / 1000) }
      }
      window.count += 1
      return { allowed: true, retryAfterSeconds: 0 }
    },
    async refund(key) {
      for (const windows of windowsByLength.values()) {
        const window = windows.get(key)
        if (!window) continue
        window.count -= 1
        if (window.count <= 0) remove(windows, key)
      }
    },
  })
}
