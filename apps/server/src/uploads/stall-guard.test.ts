import { expect, test } from 'vitest'
import { guardAgainstStall } from './stall-guard.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('T134 an upload that moves less than a kilobyte in a period is cut', async () => {
  let cuts = 0
  const guard = guardAgainstStall(() => {
    cuts += 1
  }, 30)
  const drip = setInterval(() => guard.count(1), 1)

  await wait(100)
  clearInterval(drip)
  guard.stop()

  expect(cuts).toBeGreaterThan(0)
})

test('an upload that moves on is left alone, and so is one that has ended', async () => {
  let cuts = 0
  const guard = guardAgainstStall(() => {
    cuts += 1
  }, 30)
  const flow = setInterval(() => guard.count(64 * 1024), 1)

  await wait(100)
  clearInterval(flow)
  guard.stop()
  await wait(60)

  expect(cuts).toBe(0)
})
