import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type Licence, standingOf } from '../licences/licence.rules.ts'

/** What a sign-in is told of the licence it meets. */
export interface Upgrade {
  readonly upgrade_required: boolean
  readonly trial_expired: boolean
  readonly upgrade_message?: string
}

/** What signing in with this licence is answered with, and what it is refused with when the licence is long over. */
export function upgradeOf(licence: Licence, now: number): { upgrade: Upgrade; refusal: ErrorCode | null } {
  const standing = standingOf(licence, now)
  if (standing === 'in-force') return { upgrade: { upgrade_required: false, trial_expired: false }, refusal: null }
  const isTrial = licence.type === 'trial'
  const upgrade = {
    upgrade_required: true,
    trial_expired: true,
    upgrade_message: `Your ${isTrial ? 'trial' : 'licence'} has ended. Choose a plan to go on.`,
  }
  const code = isTrial ? 'TRIAL_EXPIRED' : 'LICENSE_EXPIRED'
  return { upgrade, refusal: standing === 'over' ? code : null }
}
