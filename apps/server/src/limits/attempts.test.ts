import { expect } from 'vitest'
import { useBothBuses } from '../testing/buses.ts'

const { server, onBothBuses, onRedis } = useBothBuses()
const limit = { points: 2, windowSeconds: 60 }
const allowed = { allowed: true, retryAfterSeconds: 0 }

onBothBuses('a refused attempt does not count, and a window starts with its first attempt', async (stage) => {
  const { attempts } = await stage.aNode()
  await attempts.allow('key', limit)
  stage.advance(59_000)
  await attempts.allow('key', limit)

  const refused = await attempts.allow('key', limit)
  stage.advance(1000)
  const later = await attempts.allow('key', limit)

  expect(refused).toEqual({ allowed: false, retryAfterSeconds: 1 })
  expect(later).toEqual(allowed)
})

onBothBuses('what was forgiven may be tried again, but forgiving gives no credit', async ({ aNode }) => {
  const { attempts } = await aNode()
  await attempts.forgive('key')
  await attempts.allow('key', limit)
  await attempts.allow('key', limit)
  await attempts.forgive('key')

  const third = await attempts.allow('key', limit)
  const fourth = await attempts.allow('key', limit)

  expect(third.allowed).toBe(true)
  expect(fourth.allowed).toBe(false)
})

onBothBuses('keys do not share their attempts', async ({ aNode }) => {
  const { attempts } = await aNode()
  await attempts.allow('one', limit)
  await attempts.allow('one', limit)

  expect(await attempts.allow('other', limit)).toEqual(allowed)
})

onBothBuses(
  'of a hundred attempts at once, at two nodes, as many are allowed as one after the other',
  async (stage) => {
    const nodes = [await stage.aNode(), await stage.aNode()]
    const all = Array.from({ length: 50 }, () => nodes.map(({ attempts }) => attempts.allow('key', limit)))

    const verdicts = await Promise.all(all.flat())

    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(limit.points)
  },
)

onRedis('T162 what Redis holds names nobody and no address, and goes with the window', async ({ aNode }) => {
  const { attempts } = await aNode()
  await attempts.allow('sign-in|203.0.113.9|ann@example.org', limit)

  const keys = await server.ask((commands) => commands.keys('*'))
  const lasting = await server.ask((commands) => commands.pttl(keys[0] ?? ''))

  expect(keys).toEqual([expect.stringMatching(/^sallyport:attempts:[\w-]{43}$/)])
  expect(lasting).toBeGreaterThan(50_000)
  expect(lasting).toBeLessThanOrEqual(60_000)
})

onRedis('F16 without Redis a node allows a quarter, and no guess at a secret', async ({ aNode }) => {
  const { attempts } = await aNode()
  const eight = { points: 8, windowSeconds: 60 }
  await attempts.allow('key', eight)

  await server.kill()
  const verdicts = [1, 2, 3].map(() => attempts.allow('key', eight))
  const guess = attempts.allow('guess', { ...eight, guesses: true })

  expect((await Promise.all(verdicts)).map((verdict) => verdict.allowed)).toEqual([true, true, false])
  await expect(guess).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  await expect(attempts.forgive('guess')).resolves.toBeUndefined()
})
