import { expect, test } from 'vitest'
import { deriveLicence, readLicence, type SourcedLicence, standingOf, trialLicence } from './licence.rules.ts'

const now = 1_700_000_000_000
const day = 24 * 3_600_000

const aLicence = (source: SourcedLicence['source'], expiresAt: number | null): SourcedLicence => ({
  type: source === 'registration' ? 'trial' : 'personal',
  storageBytes: 1,
  expiresAt,
  source,
})

test('a trial has 1 GB and ends after seven days', () => {
  expect(trialLicence(now)).toEqual({ type: 'trial', storageBytes: 1_073_741_824, expiresAt: now + 604_800_000 })
})

test('a licence without an end is understood', () => {
  const licence = readLicence({ type: 'vip', storage_limit_bytes: 0, expires_at: null, source: 'admin' })

  expect(licence).toEqual({ type: 'vip', storageBytes: 0, expiresAt: null, source: 'admin' })
})

test.each([
  ['an unknown type', { type: 'platinum' }],
  ['an unknown source', { source: 'the sky' }],
  ['less than no room', { storage_limit_bytes: -1 }],
  ['room beyond counting', { storage_limit_bytes: 2 ** 53 }],
  ['half a byte', { storage_limit_bytes: 0.5 }],
  ['an end before time began', { expires_at: -1 }],
])('a licence with %s cannot be read', (_, change) => {
  const stored = { type: 'trial', storage_limit_bytes: 1, expires_at: 1, source: 'registration', ...change }

  expect(readLicence(stored)).toBeNull()
})

test('of several licences in force the one that is paid for counts, then a seat, a link, a key, a decision, the trial', () => {
  const sources = ['registration', 'admin', 'licence-key', 'magic-link', 'seat', 'subscription'] as const
  const licences = sources.map((source) => aLicence(source, now + day))

  const counting = sources.map((_, index) => deriveLicence(licences.slice(0, index + 1), now)?.source)

  expect(counting).toEqual(sources)
})

test('a licence that has ended makes way for one in force, and the last to end speaks when none is', () => {
  const trial = aLicence('registration', now - 60 * day)
  const key = aLicence('licence-key', now - day)
  const decided = aLicence('admin', null)

  expect(deriveLicence([trial, key, decided], now)).toBe(decided)
  expect(deriveLicence([trial, key], now)).toBe(key)
  expect(deriveLicence([], now)).toBeNull()
})

test('ACC-04 ACC-05 a licence is in force to the very end, in grace for thirty days, and then over', () => {
  const licence = aLicence('registration', now)

  expect(standingOf(licence, now - 1)).toBe('in-force')
  expect(standingOf(licence, now)).toBe('grace')
  expect(standingOf(licence, now + 30 * day - 1)).toBe('grace')
  expect(standingOf(licence, now + 30 * day)).toBe('over')
  expect(standingOf({ ...licence, expiresAt: null }, now)).toBe('in-force')
})
