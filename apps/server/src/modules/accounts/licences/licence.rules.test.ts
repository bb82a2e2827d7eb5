import { expect, test } from 'vitest'
import {
  deriveLicence,
  getLicenceStatus,
  instanceLicenceOf,
  parseLicence,
  registrationTermsOf,
  type SourcedLicence,
  withInstanceLicence,
  withTrialAfterPaid,
} from './licence.rules.ts'

const now = 1_700_000_000_000
const day = 24 * 3_600_000

const createLicence = (source: SourcedLicence['source'], expiresAt: number | null): SourcedLicence => ({
  type: source === 'registration' ? 'trial' : 'personal',
  storageBytes: 1,
  expiresAt,
  source,
})

test('a trial has 1 GB of storage and ends after 7 days', () => {
  expect(registrationTermsOf({ DEFAULT_PLAN: 'trial' })).toEqual({
    type: 'trial',
    storageBytes: 1_073_741_824,
    days: 7,
  })
})

test('parseLicence accepts a licence without an end', () => {
  const licence = parseLicence({ type: 'vip', storage_limit_bytes: 0, expires_at: null, source: 'admin' })

  expect(licence).toEqual({ type: 'vip', storageBytes: 0, expiresAt: null, source: 'admin' })
})

test.each([
  ['an unknown type', { type: 'platinum' }],
  ['an unknown source', { source: 'the sky' }],
  ['a negative storage limit', { storage_limit_bytes: -1 }],
  ['an unsafe integer as storage limit', { storage_limit_bytes: 2 ** 53 }],
  ['a fractional storage limit', { storage_limit_bytes: 0.5 }],
  ['a negative end', { expires_at: -1 }],
])('parseLicence returns null for a licence with %s', (_, change) => {
  const stored = { type: 'trial', storage_limit_bytes: 1, expires_at: 1, source: 'registration', ...change }

  expect(parseLicence(stored)).toBeNull()
})

test('licence sources in order of precedence: subscription, seat, link, key, admin, registration', () => {
  const sources = ['registration', 'admin', 'licence-key', 'magic-link', 'seat', 'subscription'] as const
  const licences = sources.map((source) => createLicence(source, now + day))

  const effective = sources.map((_, index) => deriveLicence(licences.slice(0, index + 1), now)?.source)

  expect(effective).toEqual(sources)
})

test('an active licence takes precedence over an expired one; without one the last to end counts', () => {
  const trial = createLicence('registration', now - 60 * day)
  const key = createLicence('licence-key', now - day)
  const granted = createLicence('admin', null)

  expect(deriveLicence([trial, key, granted], now)).toBe(granted)
  expect(deriveLicence([trial, key], now)).toBe(key)
  expect(deriveLicence([], now)).toBeNull()
})

test('ACC-04 ACC-05 a licence is active until its end, in its grace period for 30 days, and then over', () => {
  const licence = createLicence('registration', now)

  expect(getLicenceStatus(licence, now - 1)).toBe('in-force')
  expect(getLicenceStatus(licence, now)).toBe('grace')
  expect(getLicenceStatus(licence, now + 30 * day - 1)).toBe('grace')
  expect(getLicenceStatus(licence, now + 30 * day)).toBe('over')
  expect(getLicenceStatus({ ...licence, expiresAt: null }, now)).toBe('in-force')
})

test('ORG-04 PLN-05 after the last paid plan or seat has ended there is a trial of 7 days, and none after one without an end', () => {
  const personal: SourcedLicence = { type: 'personal', storageBytes: 2, expiresAt: now, source: 'subscription' }
  const seat: SourcedLicence = { type: 'business', storageBytes: 2, expiresAt: now + day, source: 'seat' }
  const trial = { type: 'trial', storageBytes: 1024 ** 3, expiresAt: now + 8 * day, source: 'after-paid' }

  expect(withTrialAfterPaid([personal, seat])).toEqual([personal, seat, trial])
  expect(withTrialAfterPaid([personal, { ...seat, expiresAt: null }])).toHaveLength(2)
  expect(withTrialAfterPaid([createLicence('registration', now)])).toHaveLength(1)
})

test('PLN-01 a default plan other than the trial never ends, and every account has it instead of its trial', () => {
  const terms = registrationTermsOf({ DEFAULT_PLAN: 'personal', DEFAULT_STORAGE_GB: 1.5 })
  const instance = instanceLicenceOf(terms)
  const trial: SourcedLicence = { type: 'trial', storageBytes: 1, expiresAt: now + day, source: 'registration' }
  const granted: SourcedLicence = { ...trial, source: 'admin' }

  expect(terms).toEqual({ type: 'personal', storageBytes: 1_610_612_736, days: null })
  expect(registrationTermsOf({ DEFAULT_PLAN: 'vip' }).storageBytes).toBe(50 * 1024 ** 3)
  expect(registrationTermsOf({ BILLING: 'none' })).toMatchObject({ type: 'personal', days: null })
  expect(instance).toEqual({
    type: 'personal',
    storageBytes: 1_610_612_736,
    expiresAt: null,
    source: 'instance',
  })
  const withInstance = (licence: SourcedLicence) => deriveLicence(withInstanceLicence([licence], instance), now)
  const larger: SourcedLicence = { ...trial, type: 'personal', storageBytes: 2 ** 40, expiresAt: null }
  expect(withInstance(trial)).toBe(instance)
  expect(withInstance(granted)).toBe(granted)
  expect(withInstance(larger)).toBe(larger)
  expect(withInstance({ ...granted, expiresAt: now })).toBe(instance)
  expect(instanceLicenceOf(registrationTermsOf({ DEFAULT_PLAN: 'trial' }))).toBeNull()
})
