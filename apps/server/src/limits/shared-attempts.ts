import type { SharedRedis } from '../redis/redis.ts'
import { type Attempts, createLocalAttempts, type Limit } from './attempts.ts'

/** Answers whether the attempt is allowed, and when its window ends. */
const allow = `
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

const forgive = `
local count = redis.call('hget', KEYS[1], 'count')
if count and tonumber(count) > 1 then redis.call('hincrby', KEYS[1], 'count', -1) else redis.call('del', KEYS[1]) end
return 0`

/** One node that counts by itself allows this part of what all of them may. */
const strictness = 4

interface Parts {
  readonly redis: Pick<SharedRedis, 'ask'>
  /** What keys are hashed under: Redis learns neither names nor addresses. */
  readonly hash: (key: string) => string
  readonly now: () => number
}

/**
 * Counts for all nodes together. While Redis is away each node counts by itself and allows less; what guesses at a secret
 * is refused with UNAVAILABLE.
 */
export function createSharedAttempts({ redis: { ask }, hash, now }: Parts): Attempts {
  const here = createLocalAttempts(now)
  const placeOf = (key: string): string => `attempts:${hash(key)}`

  async function count(key: string, { points, windowSeconds }: Limit) {
    const asked = now()
    const [allowed, ends] = (await ask((commands) =>
      commands.eval(allow, 1, placeOf(key), asked, points, windowSeconds * 1000),
    )) as [allowed: number, ends: number]
    if (allowed === 1) return { allowed: true, retryAfterSeconds: 0 }
    return { allowed: false, retryAfterSeconds: Math.ceil((ends - asked) / 1000) }
  }

  return {
    allow: (key, limit) =>
      count(key, limit).catch((outage: unknown) => {
        if (limit.guesses) throw outage
        return here.allow(key, { ...limit, points: Math.ceil(limit.points / strictness) })
      }),
    async forgive(key) {
      await ask((commands) => commands.eval(forgive, 1, placeOf(key))).catch(() => here.forgive(key))
    },
  }
}
