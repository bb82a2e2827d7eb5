import { expect, test } from 'vitest'
import { useBothBuses } from '../testing/buses.ts'
import { createLocalAttempts } from './attempts.ts'

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

onBothBuses('a window begins with the first attempt that was not taken back', async (stage) => {
  const { attempts } = await stage.aNode()
  await attempts.allow('key', limit)
  await attempts.forgive('key')
  stage.advance(59_000)
  await attempts.allow('key', limit)
  await attempts.allow('key', limit)
  stage.advance(1000)

  expect(await attempts.allow('key', limit)).toEqual({ allowed: false, retryAfterSeconds: 59 })
})

onRedis('an attempt that was taken back leaves nothing in Redis', async ({ aNode }) => {
  const { attempts } = await aNode()
  await attempts.allow('sign-in-day|invented@example.org', limit)
  await attempts.forgive('sign-in-day|invented@example.org')
  await attempts.forgive('never counted')

  expect(await server.ask((commands) => commands.keys('*'))).toEqual([])
})

test('a flood of keys displaces its own oldest windows, and counts of a day stay', async () => {
  const most = 100
  const attempts = createLocalAttempts(() => 0, most)
  const [day, minutes] = [
    { points: 1, windowSeconds: 86_400 },
    { points: 1, windowSeconds: 300 },
  ]
  await attempts.allow('guessed at', day)
  for (let key = 0; key <= most; key += 1) await attempts.allow(`flood ${key}`, minutes)

  const guess = await attempts.allow('guessed at', day)
  const latest = await attempts.allow(`flood ${most}`, minutes)
  const oldest = await attempts.allow('flood 0', minutes)

  expect([guess.allowed, latest.allowed, oldest.allowed]).toEqual([false, false, true])
})

test('windows that have ended make room before any other one goes', async () => {
  let time = 0
  const attempts = createLocalAttempts(() => time, 2)
  const hour = { points: 1, windowSeconds: 3600 }
  await attempts.allow('short', { points: 1, windowSeconds: 1 })
  await attempts.allow('first', hour)
  time = 1000
  await attempts.allow('second', hour)

  expect((await attempts.allow('first', hour)).allowed).toBe(false)
})
