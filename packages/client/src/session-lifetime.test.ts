import { authSessionLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import {
  createLifetime,
  extendLifetime,
  isLifetimeOver,
  type SessionLifetime,
  watchLifetime,
} from './session-lifetime.ts'
import { createManualClock } from './testing/manual-clock.ts'

const noon = 1_700_000_000_000
const hour = 3_600_000
const day = 24 * hour

test('an auth session that is not remembered lasts 3 hours regardless of activity', () => {
  const lifetime = extendLifetime(createLifetime(false, noon), noon + 2 * hour)

  expect(lifetime).toEqual({
    rememberDevice: false,
    createdAtMs: noon,
    expiresAtMs: noon + 3 * hour,
    lastActivityMs: noon + 2 * hour,
  })
})

test('a remembered device stays signed in for 7 days after its last use', () => {
  const lifetime = extendLifetime(createLifetime(true, noon), noon + 6 * day)

  expect(lifetime.expiresAtMs).toBe(noon + 13 * day)
})

test('no activity extends an auth session beyond 30 days', () => {
  let lifetime = createLifetime(true, noon)
  for (let at = day; at < 30 * day; at += day) lifetime = extendLifetime(lifetime, noon + at)

  expect(lifetime.expiresAtMs).toBe(noon + authSessionLimits.absoluteMs)
})

test('an auth session is over at the exact millisecond of its expiry', () => {
  const lifetime = createLifetime(false, noon)

  expect(isLifetimeOver(lifetime, lifetime.expiresAtMs - 1)).toBe(false)
  expect(isLifetimeOver(lifetime, lifetime.expiresAtMs)).toBe(true)
})

test('activity does not revive an expired auth session', () => {
  const lifetime = createLifetime(true, noon)

  expect(extendLifetime(lifetime, lifetime.expiresAtMs)).toEqual(lifetime)
})

test('the lifetime is checked every minute until the signal is aborted', async () => {
  const clock = createManualClock()
  const controller = new AbortController()
  const lifetime: SessionLifetime = { ...createLifetime(false, clock.now()), expiresAtMs: clock.now() + 90_000 }
  let expiredCount = 0
  const watching = watchLifetime({
    read: () => lifetime,
    onExpired: () => expiredCount++,
    clock,
    signal: controller.signal,
  })

  await clock.advance(60_000)
  const early = expiredCount
  await clock.advance(60_000)
  controller.abort()
  await watching
  await clock.advance(600_000)

  expect(early).toBe(0)
  expect(expiredCount).toBe(1)
})
