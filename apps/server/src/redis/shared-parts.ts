import { createHmac } from 'node:crypto'
import { type Bus, createLocalBus } from '../bus/bus.ts'
import { createRedisBus } from '../bus/redis-bus.ts'
import { type Attempts, createLocalAttempts } from '../limits/attempts.ts'
import { createSharedAttempts } from '../limits/shared-attempts.ts'
import { createSharedTurns } from '../limits/shared-turns.ts'
import { createLocalTurns, type Turns } from '../limits/turns.ts'
import { createRedisShelf } from '../live/redis-shelf.ts'
import { createLocalShelf, type OpenTickets, ticketsOn } from '../live/tickets.ts'
import type { SharedRedis } from './redis.ts'

interface Wishes {
  /** Null where there is one node. */
  readonly redis: SharedRedis | null
  /** From the secrets folder: what names and addresses are hashed under before Redis sees them. */
  readonly secret: Buffer
  readonly now: () => number
  /** Ends with the server. */
  readonly signal: AbortSignal
}

/** What all nodes of an instance have in common besides the database. */
export interface SharedParts {
  readonly bus: Bus
  readonly openTickets: OpenTickets
  readonly attempts: Attempts
  readonly turns: Turns
}

/** The parts that nodes share over Redis, or those of a single node. */
export async function openSharedParts({ redis, secret, now, signal }: Wishes): Promise<SharedParts> {
  if (!redis) {
    return {
      bus: createLocalBus(),
      openTickets: ticketsOn(createLocalShelf(now), now),
      attempts: createLocalAttempts(now),
      turns: createLocalTurns(),
    }
  }
  const hash = (key: string): string => createHmac('sha256', secret).update(`redis\0${key}`).digest('base64url')
  return {
    bus: await createRedisBus({ redis, signal }),
    openTickets: ticketsOn(createRedisShelf(redis), now),
    attempts: createSharedAttempts({ redis, hash, now }),
    turns: createSharedTurns({ redis, hash }),
  }
}
