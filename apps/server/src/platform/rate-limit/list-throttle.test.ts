import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createListThrottle } from './list-throttle.ts'

const megabyte = 1024 * 1024
const limits = { bytesPerSecond: 8 * megabyte, concurrentReads: 2, waitingTotal: 40 }
const oneMegabyte = () => megabyte

/** Replaces the clock of the throttle by one that moves only by the returned function. */
function useManualClock(): (ms: number) => Promise<void> {
  let time = performance.now()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += 1) {
      time += 1
      await vi.advanceTimersByTimeAsync(1)
    }
  }
}

test('long lists of one caller are throttled, and another caller is served in between', async () => {
  const advance = useManualClock()
  const throttle = createListThrottle(limits)
  const read: string[] = []
  const request = (caller: string) => throttle.run(caller, async () => void read.push(caller), oneMegabyte)

  const heavy = Array.from({ length: 30 }, () => request('heavy').catch(() => undefined))
  await advance(50)
  const before = read.length
  const other = request('other')
  await advance(950)
  await other

  expect(read.indexOf('other') - before, 'long lists read before that of another caller').toBeLessThanOrEqual(2)
  // A quarter of a second's worth passes at once, then eight lists a second.
  expect(read.length).toBeGreaterThan(8)
  expect(read.length).toBeLessThan(14)
  await advance(4000)
  await Promise.all(heavy)
})

test('of 43 lists of one caller 2 are read, 40 wait and 1 gets 503; a list of another caller displaces one', async () => {
  const throttle = createListThrottle(limits)
  const unread = Promise.withResolvers<void>()
  const refused: unknown[] = []
  const request = (caller: string) =>
    throttle.run(
      caller,
      () => unread.promise,
      () => 0,
    )

  const heavy = Array.from({ length: 43 }, () => request('heavy').catch(({ code }) => refused.push(code)))
  await pause(1)
  expect(refused).toEqual(['UNAVAILABLE'])
  const other = request('other')
  await pause(1)
  expect(refused).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])

  unread.resolve()
  await Promise.all([...heavy, other])
})

test('a list that fails lets the next one run', async () => {
  const throttle = createListThrottle({ ...limits, concurrentReads: 1 })

  await expect(throttle.run('ann', () => Promise.reject(new Error('no database')), oneMegabyte)).rejects.toThrow(
    'no database',
  )

  expect(await throttle.run('ann', async () => 'read', oneMegabyte)).toBe('read')
})
