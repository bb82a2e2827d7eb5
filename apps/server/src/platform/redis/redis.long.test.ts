import { expect, onTestFinished, test } from 'vitest'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'
import { openRedis } from './redis.ts'

const server = useRedis()

async function open() {
  const log = { info: () => undefined, warn: () => undefined }
  const redis = await openRedis({ url: server.url, log, pingEveryMs: 50 })
  onTestFinished(redis.close)
  return redis
}

test('F16 while Redis is down commands fail within 2 s', async () => {
  const { run, probe } = await open()
  await run((commands) => commands.incr('count'))

  await server.kill()
  const elapsed = await startStopwatch()
  await expect(run((commands) => commands.incr('count'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(probe()).rejects.toMatchObject({ code: 'UNAVAILABLE' })

  expect(elapsed()).toBeLessThan(2000)
})

test('F16 while Redis does not answer commands fail within 4 s', async () => {
  const { run } = await open()

  server.suspend()
  const elapsed = await startStopwatch()
  await expect(run((commands) => commands.incr('count'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const failedAfter = elapsed()
  server.resume()

  expect(failedAfter).toBeLessThan(4000)
})
