import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { useBothBuses } from '../../testing/engines/buses.ts'
import { openRedis } from '../redis/redis.ts'
import { createRedisMutex } from './redis-mutex.ts'

const { server, onBothBuses, onRedis } = useBothBuses()

onBothBuses('steps with the same key run one after the other, over all nodes', async ({ openNode }) => {
  const nodes = [await openNode(), await openNode()]
  let inside = 0
  const seen: number[] = []
  const step = async (): Promise<void> => {
    inside += 1
    await pause(2)
    seen.push(inside)
    inside -= 1
  }

  await Promise.all(Array.from({ length: 5 }, () => nodes.map(({ mutex }) => mutex.runExclusive('key', step))).flat())

  expect(seen).toEqual(Array(10).fill(1))
})

onBothBuses('keys do not wait for each other, and a step that fails lets the next one run', async ({ openNode }) => {
  const { mutex } = await openNode()
  const other = await openNode()
  const latch = Promise.withResolvers<string>()
  const held = mutex.runExclusive('one', () => latch.promise)

  const unrelated = await other.mutex.runExclusive('other', async () => 'unrelated')
  latch.reject(new Error('It failed'))
  await expect(held).rejects.toThrow('It failed')
  const next = await other.mutex.runExclusive('one', async () => 'next')

  expect([unrelated, next]).toEqual(['unrelated', 'next'])
})

onBothBuses(
  'of 70 concurrent steps of one address 65 run and 5 get 503 with Retry-After, and another address is next',
  async ({ openNode }) => {
    const { mutex } = await openNode()
    const latch = Promise.withResolvers<void>()
    const ran: string[] = []
    const outcomes: string[] = []
    const run = (owner: string) =>
      mutex
        .runExclusive(
          'key',
          async () => {
            await latch.promise
            ran.push(owner)
          },
          owner,
        )
        .catch(({ status, retryAfterSeconds }) => outcomes.push(`${status} ${retryAfterSeconds}`))

    const flood = Array.from({ length: 70 }, () => run('crowd'))
    const other = run('other')
    await pause(20)
    latch.resolve()
    await Promise.all([...flood, other])

    expect(outcomes).toEqual(Array(5).fill('503 2'))
    expect(ran).toHaveLength(66)
    expect(ran.indexOf('other')).toBeLessThanOrEqual(2)
  },
)

onBothBuses('of 400 steps of 400 addresses 257 run and the newest get 503', async ({ openNode }) => {
  const { mutex } = await openNode()
  const latch = Promise.withResolvers<void>()
  const outcomes = await (async () => {
    const all = Array.from({ length: 400 }, (_, index) =>
      mutex
        .runExclusive('key', () => latch.promise, `address ${index}`)
        .then(
          () => 'ran',
          ({ status }) => String(status),
        ),
    )
    await pause(20)
    latch.resolve()
    return Promise.all(all)
  })()

  expect(outcomes.filter((outcome) => outcome === 'ran')).toHaveLength(257)
  expect(outcomes.filter((outcome) => outcome === '503')).toHaveLength(143)
})

test('a step that takes longer than its lock lives still runs alone', async () => {
  const lockMs = 200
  const open = async () => {
    const redis = await openRedis({ url: server.url, log: { info: () => undefined, warn: () => undefined } })
    onTestFinished(() => redis.close())
    return createRedisMutex({ redis, hash: (key) => key, lockMs })
  }
  const [one, other] = [await open(), await open()]
  const order: string[] = []

  const slow = one.runExclusive('slow', async () => {
    await pause(4 * lockMs)
    order.push('slow')
  })
  await pause(lockMs / 4)
  await Promise.all([slow, other.runExclusive('slow', async () => order.push('next'))])

  expect(order).toEqual(['slow', 'next'])
})

onRedis('F16 without Redis no step starts, and a running step completes', async ({ openNode }) => {
  const { mutex } = await openNode()
  const inside = mutex.runExclusive('key', async () => {
    await server.kill()
    return 'out'
  })

  expect(await inside).toBe('out')
  await expect(mutex.runExclusive('key', async () => 'in')).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
})
