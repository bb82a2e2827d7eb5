import { expect, test } from 'vitest'
import { readLicence, trialLicence } from './licence.rules.ts'

test('a trial has 1 GB and ends after seven days', () => {
  const now = 1_700_000_000_000

  expect(trialLicence(now)).toEqual({ type: 'trial', storageBytes: 1_073_741_824, expiresAt: now + 604_800_000 })
})

test('a licence without an end is understood', () => {
  const licence = readLicence({ type: 'vip', storage_limit_bytes: 0, expires_at: null })

  expect(licence).toEqual({ type: 'vip', storageBytes: 0, expiresAt: null })
})

test.each([
  ['an unknown type', { type: 'platinum' }],
  ['less than no room', { storage_limit_bytes: -1 }],
  ['room beyond counting', { storage_limit_bytes: 2 ** 53 }],
  ['half a byte', { storage_limit_bytes: 0.5 }],
  ['an end before time began', { expires_at: -1 }],
])('a licence with %s cannot be read', (_, change) => {
  const stored = { type: 'trial', storage_limit_bytes: 1, expires_at: 1, ...change }

  expect(readLicence(stored)).toBeNull()
})
