import { expect, test } from 'vitest'
import { authSessionEnd, classifyRefresh, hasEnded } from './auth-session.rules.ts'

const hour = 3_600_000
const day = 24 * hour

test.each([
  ['short', 0, 3 * hour],
  ['short', 2 * hour, 3 * hour],
  ['remember', 0, 7 * day],
  ['remember', 6 * day, 13 * day],
  ['remember', 23 * day, 30 * day],
  ['remember', 29 * day, 30 * day],
] as const)('ACC-11 a %s session refreshed after %i ms ends after %i ms', (sessionLifetime, usedAfter, endsAfter) => {
  const createdAt = 1_700_000_000_000

  expect(authSessionEnd({ sessionLifetime, createdAt }, createdAt + usedAfter)).toBe(createdAt + endsAfter)
})

test('ACC-11 a session is over at the exact millisecond of its end, and not before', () => {
  expect(hasEnded(1000, 999)).toBe(false)
  expect(hasEnded(1000, 1000)).toBe(true)
})

test.each([
  ['the current token', { revokedAt: null, isParentOfCurrent: false }, 'rotate'],
  ['the parent of the current one, after 60 s', { revokedAt: hour - 60_000, isParentOfCurrent: true }, 'repeat'],
  ['the parent of the current one, after 60.001 s', { revokedAt: hour - 60_001, isParentOfCurrent: true }, 'reused'],
  ['an older one', { revokedAt: 0, isParentOfCurrent: false }, 'reused'],
  ['an older one, 10 s after it was used', { revokedAt: hour - 10_000, isParentOfCurrent: false }, 'repeat'],
  ['an older one, 10.001 s after it was used', { revokedAt: hour - 10_001, isParentOfCurrent: false }, 'reused'],
] as const)('T070 T071 %s', (_, token, outcome) => {
  expect(classifyRefresh(token, hour)).toBe(outcome)
})
