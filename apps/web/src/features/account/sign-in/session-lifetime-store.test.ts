import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createSessionLifetimeStore } from './session-lifetime-store.ts'

const hour = 3_600_000
const start = 1_800_000_000_000

/** A browser whose time and monotonic clock are set by the test. */
function startBrowser() {
  const time = { server: start, elapsed: 0, isKnown: true }
  const storage = createMemoryStorage()
  const open = () =>
    createSessionLifetimeStore({
      storage,
      now: () => time.server,
      isKnown: () => time.isKnown,
      elapsed: () => time.elapsed,
    })
  return { time, open }
}

test('ACC-11 nothing expires by the device’s clock while the server’s time is unknown', () => {
  const { time, open } = startBrowser()
  open().start(false)
  Object.assign(time, { server: start + 400 * hour, isKnown: false })

  const lifetime = open()
  const before = lifetime.isExpired()
  time.isKnown = true

  expect([before, lifetime.isExpired()]).toEqual([false, true])
})

test('ACC-11 a server whose time stands still or goes back prolongs no lifetime', () => {
  for (const lie of [0, -24 * hour]) {
    const { time, open } = startBrowser()
    const lifetime = open()
    lifetime.start(false)
    expect(lifetime.isExpired()).toBe(false)

    Object.assign(time, { server: start + lie, elapsed: 3 * hour - 1 })
    const before = lifetime.isExpired()
    time.elapsed += 1

    expect([before, lifetime.isExpired()]).toEqual([false, true])
  }
})
