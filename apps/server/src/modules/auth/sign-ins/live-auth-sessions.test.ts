import { expect, test } from 'vitest'
import { createLocalBus } from '../../../platform/events/bus.ts'
import { revokedTopic } from '../../../platform/events/publish.ts'
import type { AuthSessionsStore } from './auth-sessions.store.ts'
import { createLiveAuthSessions } from './live-auth-sessions.ts'

const authSession = { userId: 'ann', authSessionId: 'here' }
const row = { userId: 'ann', email: 'ann@example.org', notAfter: 10_000, bannedUntil: null }
const nextTick = () => new Promise((resolve) => setTimeout(resolve))

function start(find: () => Promise<typeof row | null>) {
  const bus = createLocalBus()
  const live = createLiveAuthSessions({ authSessions: { find } as unknown as AuthSessionsStore, bus, now: () => 0 })
  return { bus, live }
}

test('a revocation that arrives while the row is read is not lost', async () => {
  let resolveRow: (found: typeof row) => void = () => undefined
  const results = [new Promise<typeof row>((resolve) => (resolveRow = resolve)), Promise.resolve(null)]
  const { bus, live } = start(() => results.shift() ?? Promise.resolve(null))
  const pending = live.find(authSession)
  bus.publish(revokedTopic, { userId: 'ann' })
  await nextTick()
  resolveRow(row)
  await pending

  const next = await live.find(authSession)

  expect(next).toBeNull()
})

test('an auth session is read once, and returned for its own user only', async () => {
  let lookUps = 0
  const { live } = start(async () => {
    lookUps += 1
    return row
  })

  const found = [
    await live.find(authSession),
    await live.find(authSession),
    await live.find({ ...authSession, userId: 'bob' }),
  ]

  expect(found).toEqual([
    { ...authSession, email: 'ann@example.org' },
    { ...authSession, email: 'ann@example.org' },
    null,
  ])
  expect(lookUps).toBe(1)
})

test('a failing database rejects instead of reporting an ended auth session', async () => {
  const { live } = start(async () => {
    throw new Error('away')
  })

  await expect(live.find(authSession)).rejects.toThrow('away')
})
