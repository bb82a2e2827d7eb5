import { LicenceType } from '@sallyport/contract/accounts'
import { licenceLimits } from '@sallyport/contract/limits'

export interface Licence {
  readonly type: LicenceType
  readonly storageBytes: number
  /** Epoch ms; null never ends. */
  readonly expiresAt: number | null
}

interface StoredLicence {
  readonly type: string
  readonly storage_limit_bytes: number
  readonly expires_at: number | null
}

const day = 24 * 60 * 60 * 1000

/** What every new account starts with. */
export const trialLicence = (now: number): Licence => ({
  type: 'trial',
  storageBytes: licenceLimits.trial.storageBytes,
  expiresAt: now + licenceLimits.trial.days * day,
})

/** The licence as stored, or null when it makes no sense to us. */
export function readLicence(stored: StoredLicence): Licence | null {
  const type = LicenceType.safeParse(stored.type)
  const { storage_limit_bytes: storageBytes, expires_at: expiresAt } = stored
  if (!type.success || !isAmount(storageBytes) || (expiresAt !== null && !isAmount(expiresAt))) return null
  return { type: type.data, storageBytes, expiresAt }
}

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
