import { LicenceType } from '@sallyport/contract/accounts'
import { licenceLimits } from '@sallyport/contract/limits'

/** Where a licence can come from, what counts first in front. */
const licenceSources = ['subscription', 'seat', 'magic-link', 'licence-key', 'admin', 'registration'] as const
export type LicenceSource = (typeof licenceSources)[number]

export interface Licence {
  readonly type: LicenceType
  readonly storageBytes: number
  /** Epoch ms; null never ends. */
  readonly expiresAt: number | null
}

export interface SourcedLicence extends Licence {
  readonly source: LicenceSource
}

interface StoredLicence {
  readonly type: string
  readonly storage_limit_bytes: number
  readonly expires_at: number | null
  readonly source: string
}

/**
 * - `in-force`: nothing is missing.
 * - `grace`: over, but not for long; its holder is let in to choose a plan.
 * - `over`: its holder is let in no more.
 */
export type Standing = 'in-force' | 'grace' | 'over'

const dayMs = 24 * 60 * 60 * 1000

/** What every new account starts with. */
export const trialLicence = (now: number): Licence => ({
  type: 'trial',
  storageBytes: licenceLimits.trial.storageBytes,
  expiresAt: endAfter(licenceLimits.trial.days, now),
})

/** The room a licence of this type has unless something else was agreed. */
export const usualStorageBytes = (type: LicenceType): number =>
  type === 'trial' ? licenceLimits.trial.storageBytes : licenceLimits.paid.storageBytes

/** The time so many days from now; null, never, for no number of days. */
export function endAfter(days: number, now: number): number
export function endAfter(days: number | null, now: number): number | null
export function endAfter(days: number | null, now: number): number | null {
  return days === null ? null : now + days * dayMs
}

/** The licence as stored, or null when it makes no sense to us. */
export function readLicence(stored: StoredLicence): SourcedLicence | null {
  const type = LicenceType.safeParse(stored.type)
  const source = licenceSources.find((known) => known === stored.source)
  const { storage_limit_bytes: storageBytes, expires_at: expiresAt } = stored
  if (!type.success || !source || !isAmount(storageBytes) || (expiresAt !== null && !isAmount(expiresAt))) return null
  return { type: type.data, storageBytes, expiresAt, source }
}

/**
 * The one licence an account holds now: of those in force the one whose source counts first; when none is in force, the
 * one that ended last. Null without any.
 */
export function deriveLicence(licences: readonly SourcedLicence[], now: number): SourcedLicence | null {
  const inForce = licences.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const rank = ({ source }: SourcedLicence): number => licenceSources.indexOf(source)
  const end = ({ expiresAt }: SourcedLicence): number => expiresAt ?? Number.POSITIVE_INFINITY
  const [first] = inForce.toSorted((one, other) => rank(one) - rank(other))
  const [latest] = licences.toSorted((one, other) => end(other) - end(one))
  return first ?? latest ?? null
}

/** How a licence stands at this time. */
export function standingOf({ expiresAt }: Licence, now: number): Standing {
  if (expiresAt === null || expiresAt > now) return 'in-force'
  return now < endAfter(licenceLimits.graceDays, expiresAt) ? 'grace' : 'over'
}

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
