import { LicenceType } from '@sallyport/contract/accounts'
import type { StoredSubscription } from '../../billing/billing.store.ts'
import { toSubscriptionReply } from '../../billing/subscription-reply.ts'
import type { UsersService } from './users.service.ts'

type ListedRow = Awaited<ReturnType<UsersService['list']>>['users'][number]
type ShownUser = Awaited<ReturnType<UsersService['show']>>

/** Where no payment provider has the subscription, there are no ids. */
const toProviderIds = (subscription: StoredSubscription | null) => ({
  stripe_subscription_id: subscription?.customerId ? subscription.providerId : null,
  stripe_customer_id: subscription?.customerId ?? null,
})
const shownIdDigits = 6

export const toListedUser = (row: ListedRow) => ({
  id: row.id,
  email: row.email ?? '',
  phone: row.phone,
  is_admin: row.since !== null,
  status: row.status,
  license_type: LicenceType.safeParse(row.type).data ?? ('trial' as const),
  created_at: row.created_at,
  last_login_at: row.last_sign_in_at,
  file_count: row.file_count ?? 0,
  total_storage_used: row.used_bytes ?? 0,
})

/** A subscription with the time of its end as all other times of the admin area, in epoch milliseconds. */
export function toSubscriptionFields(subscription: StoredSubscription | null) {
  if (!subscription) return null
  const { status, price_cents, cancel_at_period_end } = toSubscriptionReply(subscription)
  const current_period_end = subscription.periodEnd
  return { status, price_cents, cancel_at_period_end, current_period_end, ...toProviderIds(subscription) }
}

/** The files have names that say nothing: the real ones are encrypted. */
export function toUserDetail(shown: ShownUser) {
  const { user, licence, subscription } = shown
  return {
    user: {
      id: user.id,
      email: user.email ?? '',
      phone: user.phone,
      is_admin: shown.isAdmin,
      status: shown.status,
      ...toProviderIds(subscription),
      license_type: licence.type,
      license_expires_at: licence.expiresAt,
      subscription_status: toSubscriptionReply(subscription).status,
      storage_used_bytes: shown.usedBytes,
      storage_limit_bytes: licence.storageBytes,
      created_at: user.created_at,
      email_verified_at: user.email_confirmed_at,
      has_second_factor: shown.hasSecondFactor,
      auth_sessions: shown.authSessions,
    },
    files: shown.listedFiles.map((file) => ({
      id: file.id,
      filename: `Encrypted file · ${file.id.slice(-shownIdDigits)}`,
      size_bytes: file.plain_bytes,
      created_at: file.created_at,
      expires_at: file.expires_at,
      download_count: file.downloads,
      share_token: file.shareHash,
    })),
    stats: {
      totalFilesUploaded: shown.filesUploaded,
      totalFilesDownloaded: shown.ownDownloads,
      currentFiles: shown.files,
      totalDownloads: shown.downloads,
      isOnline: shown.isOnline,
      lastActivity: shown.lastActivity,
    },
    activity: shown.activity,
    subscription: toSubscriptionFields(subscription),
    can_sync_subscription: shown.canSync,
    organization: shown.organization && {
      name: shown.organization.name,
      candidates: shown.organization.candidates.map((member) => ({ ...member, email: member.email ?? '' })),
    },
    deletion: shown.deletion,
    abilities: shown.abilities,
  }
}
