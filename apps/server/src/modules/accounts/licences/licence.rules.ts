import { LicenceType } from '@sallyport/contract/accounts'
import { licenceLimits } from '@sallyport/contract/limits'

/** Sources of licences in order of precedence. */
const licenceSources = [
  'subscription',
  'seat',
  'magic-link',
  'licence-key',
  'admin',
  'registration',
  'instance',
  'after-paid',
] as const
export type LicenceSource = (typeof licenceSources)[number]

export interface Licence {
  readonly type: LicenceType
  readonly storageBytes: number
  /** Epoch ms; null means unlimited. */
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
 * - `in-force`: the licence is valid.
 * - `grace`: the licence ended recently; its holder can sign in to choose a plan.
 * - `over`: the grace period has ended; its holder cannot sign in.
 */
export type LicenceStatus = 'in-force' | 'grace' | 'over'

const dayMs = 24 * 60 * 60 * 1000

const gigabyte = 1024 ** 3

/** The terms of the licence that every new account gets. */
export interface RegistrationTerms {
  readonly type: LicenceType
  readonly storageBytes: number
  /** Null means unlimited. */
  readonly days: number | null
}

interface RegistrationSettings {
  readonly BILLING?: string | undefined
  readonly DEFAULT_PLAN?: LicenceType | undefined
  readonly DEFAULT_STORAGE_GB?: number | undefined
}

/** Returns the terms that the operator has configured for new accounts. Only a trial ends, and without plans there is none. */
export function registrationTermsOf(settings: RegistrationSettings): RegistrationTerms {
  const { BILLING, DEFAULT_PLAN, DEFAULT_STORAGE_GB: gigabytes } = settings
  const type = DEFAULT_PLAN ?? (BILLING === 'none' ? 'personal' : 'trial')
  return {
    type,
    storageBytes: gigabytes === undefined ? defaultStorageBytes(type) : Math.round(gigabytes * gigabyte),
    days: type === 'trial' ? licenceLimits.trial.days : null,
  }
}

/**
 * The licence that every account has where new ones never end, those that registered earlier as well. Null where new
 * accounts start with a trial.
 */
export const instanceLicenceOf = ({ type, storageBytes, days }: RegistrationTerms): SourcedLicence | null =>
  days === null ? { source: 'instance', type, storageBytes, expiresAt: null } : null

/** Adds the licence of the instance, if there is one. It replaces the trial of a registration. */
export function withInstanceLicence(
  licences: readonly SourcedLicence[],
  instance: SourcedLicence | null,
): readonly SourcedLicence[] {
  if (!instance) return licences
  return [...licences.filter(({ source, type }) => source !== 'registration' || type !== 'trial'), instance]
}

/** Adds the trial after plans that were paid, one's own or a seat. It starts when the last of them ends. */
export function withTrialAfterPaid(licences: readonly SourcedLicence[]): readonly SourcedLicence[] {
  const paid = licences.filter(({ source }) => source === 'subscription' || source === 'seat')
  const ends = paid.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)
  const end = Math.max(...ends)
  if (!Number.isFinite(end)) return licences
  const { storageBytes, days } = licenceLimits.trial
  return [...licences, { source: 'after-paid', type: 'trial', storageBytes, expiresAt: addDays(days, end) }]
}

/** Default storage limit of a licence type. */
export const defaultStorageBytes = (type: LicenceType): number =>
  type === 'trial' ? licenceLimits.trial.storageBytes : licenceLimits.paid.storageBytes

/** Adds days to a time. Returns null for null, which means unlimited. */
export function addDays(days: number, now: number): number
export function addDays(days: number | null, now: number): number | null
export function addDays(days: number | null, now: number): number | null {
  return days === null ? null : now + days * dayMs
}

/** Validates a stored licence. Returns null if it is not valid. */
export function parseLicence(stored: StoredLicence): SourcedLicence | null {
  const type = LicenceType.safeParse(stored.type)
  const source = licenceSources.find((known) => known === stored.source)
  const { storage_limit_bytes: storageBytes, expires_at: expiresAt } = stored
  if (!type.success || !source || !isAmount(storageBytes) || (expiresAt !== null && !isAmount(expiresAt))) return null
  return { type: type.data, storageBytes, expiresAt, source }
}

/**
 * Returns the effective licence of an account: the active one whose source has the highest precedence or, if none is
 * active, the one that ended last. Returns null if there are none.
 */
export function deriveLicence(licences: readonly SourcedLicence[], now: number): SourcedLicence | null {
  const inForce = licences.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const rank = ({ source }: SourcedLicence): number => licenceSources.indexOf(source)
  const end = ({ expiresAt }: SourcedLicence): number => expiresAt ?? Number.POSITIVE_INFINITY
  const [first] = inForce.toSorted((one, other) => rank(one) - rank(other))
  const [latest] = licences.toSorted((one, other) => end(other) - end(one))
  return first ?? latest ?? null
}

/** Returns the status of a licence at this time. */
export function getLicenceStatus({ expiresAt }: Licence, now: number): LicenceStatus {
  if (expiresAt === null || expiresAt > now) return 'in-force'
  return now < addDays(licenceLimits.graceDays, expiresAt) ? 'grace' : 'over'
}

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
