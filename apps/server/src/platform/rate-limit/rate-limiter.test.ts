import { expect, test } from 'vitest'
import { useBothBuses } from '../../testing/engines/buses.ts'
import { createLocalRateLimiter } from './rate-limiter.ts'

const { server, onBothBuses, onRedis } = useBothBuses()
const limit = { points: 2, windowSeconds: 60 }
const allowed = { allowed: true, retryAfterSeconds: 0 }

onBothBuses('a denied attempt does not count, and a window starts with its first attempt', async (stage) => {
  const { rateLimiter } = await stage.openNode()
  await rateLimiter.allow('key', limit)
  stage.advance(59_000)
  await rateLimiter.allow('key', limit)

  const refused = await rateLimiter.allow('key', limit)
  stage.advance(1000)
  const later = await rateLimiter.allow('key', limit)

  expect(refused).toEqual({ allowed: false, retryAfterSeconds: 1 })
  expect(later).toEqual(allowed)
})

onBothBuses(
  'a refunded attempt may be repeated, and a refund without an attempt gives no credit',
  async ({ openNode }) => {
    const { rateLimiter } = await openNode()
    await rateLimiter.refund('key')
    await rateLimiter.allow('key', limit)
    await rateLimiter.allow('key', limit)
    await rateLimiter.refund('key')

    const third = await rateLimiter.allow('key', limit)
    const fourth = await rateLimiter.allow('key', limit)

    expect(third.allowed).toBe(true)
    expect(fourth.allowed).toBe(false)
  },
)

onBothBuses('keys do not share their count', async ({ openNode }) => {
  const { rateLimiter } = await openNode()
  await rateLimiter.allow('one', limit)
  await rateLimiter.allow('one', limit)

  expect(await rateLimiter.allow('other', limit)).toEqual(allowed)
})

onBothBuses('of 100 concurrent attempts at 2 nodes as many are allowed as one after the other', async (stage) => {
  const nodes = [await stage.openNode(), await stage.openNode()]
  const all = Array.from({ length: 50 }, () => nodes.map(({ rateLimiter }) => rateLimiter.allow('key', limit)))

  const verdicts = await Promise.all(all.flat())

  expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(limit.points)
})

onRedis('T162 Redis holds neither names nor addresses, and its keys expire with the window', async ({ openNode }) => {
  const { rateLimiter } = await openNode()
  await rateLimiter.allow('sign-in|203.0.113.9|ann@example.org', limit)

  const keys = await server.query((commands) => commands.keys('*'))
  const lasting = await server.query((commands) => commands.pttl(keys[0] ?? ''))

  expect(keys).toEqual([expect.stringMatching(/^sallyport:attempts:[\w-]{43}$/)])
  expect(lasting).toBeGreaterThan(50_000)
  expect(lasting).toBeLessThanOrEqual(60_000)
})

onRedis('F16 without Redis a node allows a quarter, and no guesses at a secret', async ({ openNode }) => {
  const { rateLimiter } = await openNode()
  const eight = { points: 8, windowSeconds: 60 }
  await rateLimiter.allow('key', eight)

  await server.kill()
  const verdicts = [1, 2, 3].map(() => rateLimiter.allow('key', eight))
  const guess = rateLimiter.allow('guess', { ...eight, guesses: true })

  expect((await Promise.all(verdicts)).map((verdict) => verdict.allowed)).toEqual([true, true, false])
  await expect(guess).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  await expect(rateLimiter.refund('guess')).resolves.toBeUndefined()
})

onBothBuses('a window begins with the first attempt that was not refunded', async (stage) => {
  const { rateLimiter } = await stage.openNode()
  await rateLimiter.allow('key', limit)
  await rateLimiter.refund('key')
  stage.advance(59_000)
  await rateLimiter.allow('key', limit)
  await rateLimiter.allow('key', limit)
  stage.advance(1000)

  expect(await rateLimiter.allow('key', limit)).toEqual({ allowed: false, retryAfterSeconds: 59 })
})

onRedis('a refunded attempt leaves no key in Redis', async ({ openNode }) => {
  const { rateLimiter } = await openNode()
  await rateLimiter.allow('sign-in-day|invented@example.org', limit)
  await rateLimiter.refund('sign-in-day|invented@example.org')
  await rateLimiter.refund('never counted')

  expect(await server.query((commands) => commands.keys('*'))).toEqual([])
})

test('a flood of keys evicts its own oldest windows, and the counts of a day stay', async () => {
  const maxWindows = 100
  const rateLimiter = createLocalRateLimiter(() => 0, maxWindows)
  const [day, minutes] = [
    { points: 1, windowSeconds: 86_400 },
    { points: 1, windowSeconds: 300 },
  ]
  await rateLimiter.allow('guessed at', day)
  for (let key = 0; key <= maxWindows; key += 1) await rateLimiter.allow(`flood ${key}`, minutes)

  const guess = await rateLimiter.allow('guessed at', day)
  const latest = await rateLimiter.allow(`flood ${maxWindows}`, minutes)
  const oldest = await rateLimiter.allow('flood 0', minutes)

  expect([guess.allowed, latest.allowed, oldest.allowed]).toEqual([false, false, true])
})

test('ended windows are evicted before any other', async () => {
  let time = 0
  const rateLimiter = createLocalRateLimiter(() => time, 2)
  const hour = { points: 1, windowSeconds: 3600 }
  await rateLimiter.allow('short', { points: 1, windowSeconds: 1 })
  await rateLimiter.allow('first', hour)
  time = 1000
  await rateLimiter.allow('second', hour)

  expect((await rateLimiter.allow('first', hour)).allowed).toBe(false)
})
