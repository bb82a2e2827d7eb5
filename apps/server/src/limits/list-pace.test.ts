import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createListPace } from './list-pace.ts'

const megabyte = 1024 * 1024
const limits = { bytesPerSecond: 8 * megabyte, readAtOnce: 2, waitingInAll: 40 }
const oneMegabyte = () => megabyte

test('long lists of one caller are read at the pace of the process, and another caller goes in between', async () => {
  const pace = createListPace(limits)
  const read: string[] = []
  const ask = (caller: string) => pace.run(caller, async () => void read.push(caller), oneMegabyte)

  const heavy = Array.from({ length: 30 }, () => ask('heavy').catch(() => undefined))
  await pause(50)
  const before = read.length
  await ask('other')
  await pause(450)

  expect(read.indexOf('other') - before, 'long lists read before that of another caller').toBeLessThanOrEqual(2)
  // A quarter of a second's worth passes at once, then eight a second.
  expect(read.length).toBeGreaterThan(3)
  expect(read.length).toBeLessThan(12)
  await Promise.all(heavy)
}, 20_000)

test('of 43 lists of one caller 2 are read, 40 wait and 1 gets 503; a list of another caller displaces one', async () => {
  const pace = createListPace(limits)
  const unread = Promise.withResolvers<void>()
  const refused: unknown[] = []
  const ask = (caller: string) =>
    pace.run(
      caller,
      () => unread.promise,
      () => 0,
    )

  const heavy = Array.from({ length: 43 }, () => ask('heavy').catch(({ code }) => refused.push(code)))
  await pause(1)
  expect(refused).toEqual(['UNAVAILABLE'])
  const other = ask('other')
  await pause(1)
  expect(refused).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])

  unread.resolve()
  await Promise.all([...heavy, other])
})

test('a list that cannot be read leaves its turn to the next', async () => {
  const pace = createListPace({ ...limits, readAtOnce: 1 })

  await expect(pace.run('ann', () => Promise.reject(new Error('no database')), oneMegabyte)).rejects.toThrow(
    'no database',
  )

  expect(await pace.run('ann', async () => 'read', oneMegabyte)).toBe('read')
})
