import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { useBothBuses } from '../testing/buses.ts'

const { server, onBothBuses, onRedis } = useBothBuses()

onBothBuses('whoever comes under the same key passes one after the other, at whichever node', async ({ aNode }) => {
  const nodes = [await aNode(), await aNode()]
  let inside = 0
  const seen: number[] = []
  const step = async (): Promise<void> => {
    inside += 1
    await pause(2)
    seen.push(inside)
    inside -= 1
  }

  await Promise.all(Array.from({ length: 5 }, () => nodes.map(({ turns }) => turns.take('key', step))).flat())

  expect(seen).toEqual(Array(10).fill(1))
})

onBothBuses('keys do not wait for each other, and a step that fails lets the next one pass', async ({ aNode }) => {
  const { turns } = await aNode()
  const other = await aNode()
  const gate = Promise.withResolvers<string>()
  const held = turns.take('one', () => gate.promise)

  const beside = await other.turns.take('other', async () => 'beside')
  gate.reject(new Error('It failed'))
  await expect(held).rejects.toThrow('It failed')
  const next = await other.turns.take('one', async () => 'next')

  expect([beside, next]).toEqual(['beside', 'next'])
})

onBothBuses(
  'of 70 steps that one address wants at once 65 run and 5 get 503 with Retry-After, and another address goes next',
  async ({ aNode }) => {
    const { turns } = await aNode()
    const gate = Promise.withResolvers<void>()
    const ran: string[] = []
    const outcomes: string[] = []
    const take = (owner: string) =>
      turns
        .take(
          'key',
          async () => {
            await gate.promise
            ran.push(owner)
          },
          owner,
        )
        .catch(({ status, retryAfterSeconds }) => outcomes.push(`${status} ${retryAfterSeconds}`))

    const flood = Array.from({ length: 70 }, () => take('crowd'))
    const other = take('other')
    await pause(20)
    gate.resolve()
    await Promise.all([...flood, other])

    expect(outcomes).toEqual(Array(5).fill('503 2'))
    expect(ran).toHaveLength(66)
    expect(ran.indexOf('other')).toBeLessThanOrEqual(2)
  },
)

onBothBuses('of 400 steps of 400 addresses 257 run and the newest get 503', async ({ aNode }) => {
  const { turns } = await aNode()
  const gate = Promise.withResolvers<void>()
  const outcomes = await (async () => {
    const all = Array.from({ length: 400 }, (_, index) =>
      turns
        .take('key', () => gate.promise, `address ${index}`)
        .then(
          () => 'ran',
          ({ status }) => String(status),
        ),
    )
    await pause(20)
    gate.resolve()
    return Promise.all(all)
  })()

  expect(outcomes.filter((outcome) => outcome === 'ran')).toHaveLength(257)
  expect(outcomes.filter((outcome) => outcome === '503')).toHaveLength(143)
})

onRedis('F16 nobody passes while Redis is away, and whoever is inside comes out', async ({ aNode }) => {
  const { turns } = await aNode()
  const inside = turns.take('key', async () => {
    await server.kill()
    return 'out'
  })

  expect(await inside).toBe('out')
  await expect(turns.take('key', async () => 'in')).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
})
