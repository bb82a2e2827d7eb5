import { formatWait } from '../../../format-wait.ts'
import { isLocalBlock } from '../../../platform/http/address.ts'
import { enclosingBlocks } from '../../../platform/http/address-blocks.ts'
import type { RateLimit, RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts'
import { authError } from '../protocol/auth-error.ts'

interface KeyedLimit {
  readonly key: string
  readonly limit: RateLimit
}

/**
 * Counts one attempt under every key. A rejected attempt is counted under none; `describe` formats its error text. The
 * returned function releases the attempt once it has succeeded.
 */
export async function countAll(
  rateLimiter: RateLimiter,
  limits: readonly KeyedLimit[],
  describe?: (wait: string) => string,
): Promise<() => Promise<void>> {
  const counted: string[] = []
  const release = async () => {
    for (const key of counted) await rateLimiter.refund(key)
  }
  for (const { key, limit } of limits) {
    const { allowed, retryAfterSeconds } = await rateLimiter.allow(key, limit)
    if (!allowed) {
      await release()
      const text = describe?.(formatWait(retryAfterSeconds))
      throw authError('over_request_rate_limit', { retryAfterSeconds, ...(text !== undefined && { text }) })
    }
    counted.push(key)
  }
  return release
}

/** Returns one limit per window, shortest first, so that the wait grows with the number of failures. */
export const tiersOf = (key: string, tiers: readonly RateLimit[]): KeyedLimit[] =>
  tiers.map((limit) => ({ key: `${key}|${limit.windowSeconds}`, limit }))

/**
 * Returns the limits of an IP address. As an IPv6 network has any number of addresses, a /56 may do twice as much and a
 * /48 four times. Local networks are not widened, because one of them may contain all users of the server.
 */
export function blocksOf(address: string, limit: RateLimit, keyOf: (block: string) => string): KeyedLimit[] {
  const blocks = isLocalBlock(address) ? [address] : enclosingBlocks(address)
  return blocks.map((block, index) => ({ key: keyOf(block), limit: { ...limit, points: limit.points * 2 ** index } }))
}
