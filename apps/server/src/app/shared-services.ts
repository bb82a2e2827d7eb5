import { createHmac } from 'node:crypto'
import { type Bus, createLocalBus } from '../platform/events/bus.ts'
import { createRedisBus } from '../platform/events/redis-bus.ts'
import { createLocalMutex, type KeyedMutex } from '../platform/rate-limit/mutex.ts'
import { createLocalRateLimiter, type RateLimiter } from '../platform/rate-limit/rate-limiter.ts'
import { createRedisMutex } from '../platform/rate-limit/redis-mutex.ts'
import { createRedisRateLimiter } from '../platform/rate-limit/redis-rate-limiter.ts'
import {
  type CreateTickets,
  createLocalTicketStore,
  createTicketFactory,
  type TicketStore,
} from '../platform/realtime/tickets.ts'
import type { SharedRedis } from '../platform/redis/redis.ts'

interface SharedServicesOptions {
  /** Null for a single node. */
  readonly redis: SharedRedis | null
  /** From the secrets folder: keys the hashes of names and addresses that Redis gets to see. */
  readonly secret: Buffer
  readonly now: () => number
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/** The services that all nodes of an instance share besides the database. */
export interface SharedServices {
  readonly bus: Bus
  readonly createTickets: CreateTickets
  readonly rateLimiter: RateLimiter
  readonly mutex: KeyedMutex
}

/** Creates the services over Redis, or in memory for a single node. */
export async function createSharedServices({
  redis,
  secret,
  now,
  signal,
}: SharedServicesOptions): Promise<SharedServices> {
  if (!redis) {
    return {
      bus: createLocalBus(),
      createTickets: createTicketFactory(createLocalTicketStore(now), now),
      rateLimiter: createLocalRateLimiter(now),
      mutex: createLocalMutex(),
    }
  }
  const hash = (key: string): string => createHmac('sha256', secret).update(`redis\0${key}`).digest('base64url')
  return {
    bus: await createRedisBus({ redis, signal }),
    createTickets: createTicketFactory(createRedisTicketStore(redis), now),
    rateLimiter: createRedisRateLimiter({ redis, hash, now }),
    mutex: createRedisMutex({ redis, hash }),
  }
}

/** Stores tickets for all nodes. */
const createRedisTicketStore = ({ run }: Pick<SharedRedis, 'run'>): TicketStore => ({
  async insert(key, issued, forMs) {
    await run((commands) => commands.set(key, issued, 'PX', forMs))
  },
  consume: (key) => run((commands) => commands.getdel(key)),
})
