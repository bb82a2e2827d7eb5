import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedRedis } from '../redis/redis.ts'
import { createLocalTurns, type Turns, tooManyWait } from './turns.ts'

/** A node that dies in the middle of its turn keeps the others waiting for so long at most. */
const turnMs = 10_000
const patienceMs = 5000
const betweenTriesMs = 15

const giveBack = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`

interface Parts {
  readonly redis: Pick<SharedRedis, 'ask'>
  /** What keys are hashed under: Redis learns neither names nor addresses. */
  readonly hash: (key: string) => string
}

/** Turns over all nodes. Refuses with UNAVAILABLE while Redis is away, so that no two steps run at once. */
export function createSharedTurns({ redis: { ask }, hash }: Parts): Turns {
  const here = createLocalTurns()

  async function begin(place: string, mine: string): Promise<void> {
    const end = performance.now() + patienceMs
    while ((await ask((commands) => commands.set(place, mine, 'PX', turnMs, 'NX'))) === null) {
      if (performance.now() > end) throw tooManyWait(new Error('Timed out acquiring the lock'))
      await wait(betweenTriesMs)
    }
  }

  return {
    take: (key, step, owner) =>
      here.take(
        key,
        async () => {
          const place = `turn:${hash(key)}`
          const mine = randomUUID()
          await begin(place, mine)
          try {
            return await step()
          } finally {
            // Whoever cannot give a turn back loses it by and by.
            await ask((commands) => commands.eval(giveBack, 1, place, mine)).catch(() => undefined)
          }
        },
        owner,
      ),
  }
}
