import type { SharedRedis } from '../redis/redis.ts'
import type { TicketShelf } from './tickets.ts'

/** Keeps tickets where every node finds them. */
export const createRedisShelf = ({ ask }: Pick<SharedRedis, 'ask'>): TicketShelf => ({
  async put(key, issued, forMs) {
    await ask((commands) => commands.set(key, issued, 'PX', forMs))
  },
  take: (key) => ask((commands) => commands.getdel(key)),
})
