import { AdminAction, type UserStatus } from '@sallyport/contract/admin'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { addDays } from '../../accounts/licences/licence.rules.ts'

/** An account as far as it decides what an admin may do to it. */
export interface ActionSubject {
  /** Whether it is the admin's own account. */
  readonly isSelf: boolean
  readonly isAdmin: boolean
  /** Whether another account is an admin and can sign in. */
  readonly hasOtherAdmin: boolean
  readonly status: UserStatus
  readonly hasUnlimitedLicence: boolean
  /** Null without one that has not ended. */
  readonly subscription: { readonly cancelsAtPeriodEnd: boolean } | null
}

/** Returns the error for an action that is not allowed; null if it is. The server and the page both follow it. */
export function authorize(action: AdminAction, subject: ActionSubject): ErrorCode | null {
  const { isSelf, isAdmin, hasOtherAdmin, status, hasUnlimitedLicence, subscription } = subject
  if (status === 'deleting') return action === 'delete' ? null : 'CONFLICT'
  switch (action) {
    case 'promote':
      return isAdmin || status !== 'active' ? 'CONFLICT' : null
    case 'demote':
      if (!isAdmin) return 'CONFLICT'
      return hasOtherAdmin ? null : 'LAST_ADMIN'
    case 'ban':
      if (isSelf) return 'OWN_ACCOUNT'
      if (status === 'banned') return 'CONFLICT'
      return isAdmin && !hasOtherAdmin ? 'LAST_ADMIN' : null
    case 'unban':
      return status === 'banned' ? null : 'CONFLICT'
    case 'sign-out':
      return isSelf ? 'OWN_ACCOUNT' : null
    case 'set-licence':
      return null
    case 'extend-licence':
      return subscription === null && hasUnlimitedLicence ? 'LICENSE_UNLIMITED' : null
    case 'cancel-subscription':
      return subscription === null || subscription.cancelsAtPeriodEnd ? 'NO_SUBSCRIPTION' : null
    case 'delete':
      if (isSelf) return 'OWN_ACCOUNT'
      return isAdmin && !hasOtherAdmin ? 'LAST_ADMIN' : null
  }
}

/** Every action, and whether it is allowed. */
export const abilitiesOf = (subject: ActionSubject): Record<AdminAction, boolean> =>
  Object.fromEntries(AdminAction.options.map((action) => [action, authorize(action, subject) === null])) as Record<
    AdminAction,
    boolean
  >

const banDays = 100 * 365

/** When a ban ends that has no end. */
export const endOfBan = (now: number): number => addDays(banDays, now)

interface UserTimes {
  readonly deleting_since: number | null
  readonly banned_until: number | null
  readonly email_confirmed_at: number | null
  readonly phone_confirmed_at: number | null
}

export function userStatus(user: UserTimes, now: number): UserStatus {
  if (user.deleting_since !== null) return 'deleting'
  if (user.banned_until !== null && user.banned_until > now) return 'banned'
  return user.email_confirmed_at === null && user.phone_confirmed_at === null ? 'unconfirmed' : 'active'
}
