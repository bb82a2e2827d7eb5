import type { ErrorCode } from '@sallyport/contract/error-codes'
import { getLicenceStatus, type Licence } from './licences/licence.rules.ts'

/** Licence fields of the login response. */
export interface UpgradeStatus {
  readonly upgrade_required: boolean
  readonly trial_expired: boolean
  readonly upgrade_message?: string
}

/** Returns the licence fields of the login response, and an error code if the licence is past its grace period. */
export function getUpgradeStatus(
  licence: Licence,
  now: number,
): { upgrade: UpgradeStatus; errorCode: ErrorCode | null } {
  const status = getLicenceStatus(licence, now)
  if (status === 'in-force') return { upgrade: { upgrade_required: false, trial_expired: false }, errorCode: null }
  const isTrial = licence.type === 'trial'
  const upgrade = {
    upgrade_required: true,
    trial_expired: true,
    upgrade_message: `Your ${isTrial ? 'trial' : 'licence'} has ended. Choose a plan to continue.`,
  }
  const code = isTrial ? 'TRIAL_EXPIRED' : 'LICENSE_EXPIRED'
  return { upgrade, errorCode: status === 'over' ? code : null }
}
