import { signInLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { isPolicyOver, type SignInPolicy, startPolicy, touchPolicy, watchPolicy } from './sign-in-policy.ts'
import { createManualClock } from './testing/manual-clock.ts'

const noon = 1_700_000_000_000
const hour = 3_600_000
const day = 24 * hour

test('a sign-in that is not remembered lasts three hours, whatever is done meanwhile', () => {
  const policy = touchPolicy(startPolicy(false, noon), noon + 2 * hour)

  expect(policy).toEqual({
    rememberDevice: false,
    createdAtMs: noon,
    expiresAtMs: noon + 3 * hour,
    lastActivityMs: noon + 2 * hour,
  })
})

test('a remembered device has seven days from its last use', () => {
  const policy = touchPolicy(startPolicy(true, noon), noon + 6 * day)

  expect(policy.expiresAtMs).toBe(noon + 13 * day)
})

test('no use makes a sign-in last longer than thirty days', () => {
  let policy = startPolicy(true, noon)
  for (let at = day; at < 30 * day; at += day) policy = touchPolicy(policy, noon + at)

  expect(policy.expiresAtMs).toBe(noon + signInLimits.absoluteMs)
})

test('a sign-in is over from the very millisecond it expires', () => {
  const policy = startPolicy(false, noon)

  expect(isPolicyOver(policy, policy.expiresAtMs - 1)).toBe(false)
  expect(isPolicyOver(policy, policy.expiresAtMs)).toBe(true)
})

test('activity does not bring back a sign-in that is over', () => {
  const policy = startPolicy(true, noon)

  expect(touchPolicy(policy, policy.expiresAtMs)).toEqual(policy)
})

test('the policy is looked at every minute until the watch ends', async () => {
  const clock = createManualClock()
  const stop = new AbortController()
  const policy: SignInPolicy = { ...startPolicy(false, clock.now()), expiresAtMs: clock.now() + 90_000 }
  let told = 0
  const watching = watchPolicy({ read: () => policy, onOver: () => told++, clock, signal: stop.signal })

  await clock.advance(60_000)
  const early = told
  await clock.advance(60_000)
  stop.abort()
  await watching
  await clock.advance(600_000)

  expect(early).toBe(0)
  expect(told).toBe(1)
})
