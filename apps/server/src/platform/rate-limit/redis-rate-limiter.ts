import type { SharedRedis } from '../redis/redis.ts'
import { createLocalRateLimiter, createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts'

/** Returns whether the attempt is allowed, and when its window ends. */
const allowScript = `
local count, ends = unpack(redis.call('hmget', KEYS[1], 'count', 'ends'))
local now = tonumber(ARGV[1])
if not ends or tonumber(ends) <= now then
  count, ends = 0, now + ARGV[3]
  redis.call('hset', KEYS[1], 'count', 0, 'ends', ends)
  redis.call('pexpire', KEYS[1], ARGV[3])
end
if tonumber(count) >= tonumber(ARGV[2]) then return { 0, tonumber(ends) } end
redis.call('hincrby', KEYS[1], 'count', 1)
return { 1, tonumber(ends) }`

const refundScript = `
local count = redis.call('hget', KEYS[1], 'count')
if count and tonumber(count) > 1 then redis.call('hincrby', KEYS[1], 'count', -1) else redis.call('del', KEYS[1]) end
return 0`

/** A node that counts alone allows this fraction of the limit for all nodes. */
const fallbackDivisor = 4

interface RedisRateLimiterDeps {
  readonly redis: Pick<SharedRedis, 'run'>
  /** Hashes the keys: Redis learns neither names nor addresses. */
  readonly hash: (key: string) => string
  readonly now: () => number
}

/**
 * Counts for all nodes together. While Redis is down each node counts alone and allows less; guesses at a secret throw
 * UNAVAILABLE.
 */
export function createRedisRateLimiter({ redis: { run }, hash, now }: RedisRateLimiterDeps): RateLimiter {
  const fallback = createLocalRateLimiter(now)
  const redisKey = (key: string): string => `attempts:${hash(key)}`

  async function count(key: string, { points, windowSeconds }: RateLimit) {
    const startedAt = now()
    const [allowed, ends] = (await run((commands) =>
      commands.eval(allowScript, 1, redisKey(key), startedAt, points, windowSeconds * 1000),
    )) as [allowed: number, ends: number]
    if (allowed === 1) return { allowed: true, retryAfterSeconds: 0 }
    return { allowed: false, retryAfterSeconds: Math.ceil((ends - startedAt) / 1000) }
  }

  return createRateLimiter({
    allow: (key, limit) =>
      count(key, limit).catch((outage: unknown) => {
        if (limit.guesses) throw outage
        return fallback.allow(key, { ...limit, points: Math.ceil(limit.points / fallbackDivisor) })
      }),
    async refund(key) {
      await run((commands) => commands.eval(refundScript, 1, redisKey(key))).catch(() => fallback.refund(key))
    },
  })
}
