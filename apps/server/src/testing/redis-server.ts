import { afterAll, beforeAll, beforeEach } from 'vitest'
import { aRedis } from './redis-process.ts'

/** A Redis of the test file's own, empty before each test; it can be killed, held and started again. */
export function useRedis() {
  const { remove, ...redis } = aRedis()
  beforeAll(redis.start)
  beforeEach(async () => {
    await redis.start()
    await redis.ask((commands) => commands.flushall())
  })
  afterAll(remove)
  return redis
}
