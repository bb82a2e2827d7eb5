import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createRedisProcess } from './redis-process.ts'

/** Starts a Redis for the test file, emptied before each test. It can be killed, suspended and restarted. */
export function useRedis() {
  const { remove, ...redis } = createRedisProcess()
  beforeAll(redis.start, 90_000)
  beforeEach(async () => {
    await redis.start()
    await redis.query((commands) => commands.flushall())
  })
  afterAll(remove)
  return redis
}
