import * as z from 'zod/mini'
import { ActivityEntry } from './activity.ts'
import { adminStatus } from './admin-status.ts'
import { SubscriptionStatus } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { ByteCount, DecimalText, EpochMs, Id, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

export const adminLimits = {
  usersPerPage: 50,
  maximumUsersPerPage: 200,
  /** Above this a page number is not a page of any list. */
  maximumPage: 1_000_000,
  maximumSearchLength: 200,
  listedFiles: 10,
  maximumDays: 3650,
} as const

/** What an admin can do to an account. */
export const AdminAction = z.enum([
  'promote',
  'demote',
  'ban',
  'unban',
  'sign-out',
  'set-licence',
  'extend-licence',
  'cancel-subscription',
  'delete',
])
export type AdminAction = z.output<typeof AdminAction>

export const UserStatus = z.enum(['active', 'unconfirmed', 'banned', 'deleting'])
export type UserStatus = z.output<typeof UserStatus>

/** The steps in which an account is deleted, in their order. */
export const DeletionStep = z.enum(['sign-ins', 'organization', 'subscription', 'files', 'account'])
export type DeletionStep = z.output<typeof DeletionStep>

export const UserSortKey = z.enum([
  'created_at',
  'email',
  'license_type',
  'last_login_at',
  'file_count',
  'total_storage',
])
export type UserSortKey = z.output<typeof UserSortKey>

/** `paid` is personal or business; it is a filter and never a licence. */
export const LicenceFilter = z.enum(['all', 'trial', 'personal', 'vip', 'business', 'nonprofit', 'paid'])
export type LicenceFilter = z.output<typeof LicenceFilter>

const UserParams = z.object({ id: Id })
const identity = {
  id: Id,
  /** Empty for an account with a phone number only. */
  email: z.string(),
  phone: z.nullable(z.string()),
  is_admin: z.boolean(),
  status: UserStatus,
}

const ListedUser = z.object({
  ...identity,
  license_type: LicenceType,
  created_at: EpochMs,
  last_login_at: z.nullable(EpochMs),
  file_count: z.int(),
  /** In bytes, without uploads in progress. */
  total_storage_used: ByteCount,
})
export type ListedUser = z.output<typeof ListedUser>

/** The ids of a payment provider are null where plans are not sold through one. */
const providerIds = {
  stripe_subscription_id: z.nullable(z.string()),
  stripe_customer_id: z.nullable(z.string()),
}

const subscriptionFields = {
  status: SubscriptionStatus,
  current_period_end: z.nullable(EpochMs),
  cancel_at_period_end: z.boolean(),
}

const UserDetail = z.object({
  success: Succeeded,
  user: z.object({
    ...identity,
    ...providerIds,
    license_type: LicenceType,
    license_expires_at: z.nullable(EpochMs),
    subscription_status: SubscriptionStatus,
    storage_used_bytes: ByteCount,
    storage_limit_bytes: ByteCount,
    created_at: EpochMs,
    email_verified_at: z.nullable(EpochMs),
    has_second_factor: z.boolean(),
    auth_sessions: z.int(),
  }),
  /** The newest files: sizes and times, under names that the server has made up. */
  files: z
    .array(
      z.object({
        id: Id,
        filename: z.string(),
        size_bytes: ByteCount,
        created_at: EpochMs,
        expires_at: EpochMs,
        download_count: z.int(),
        /** Six digits of the hash of a share's token; the token is not on the server. */
        share_token: z.nullable(z.string()),
      }),
    )
    .check(z.maxLength(adminLimits.listedFiles)),
  stats: z.object({
    totalFilesUploaded: z.int(),
    /** Downloads by the account itself. */
    totalFilesDownloaded: z.int(),
    currentFiles: z.int(),
    /** All downloads of the account's files, those of its shares included. */
    totalDownloads: z.int(),
    /** Whether a page of the account is open. */
    isOnline: z.boolean(),
    lastActivity: z.nullable(EpochMs),
  }),
  /** The newest entries. */
  activity: z.array(ActivityEntry),
  subscription: z.nullable(z.object(subscriptionFields)),
  /** Whether a payment provider can be asked for the subscription. */
  can_sync_subscription: z.boolean(),
  /** The organization that the user owns, and who can own it in their place. */
  organization: z.nullable(
    z.object({
      name: z.string(),
      candidates: z.array(z.object({ id: Id, email: identity.email, phone: identity.phone })),
    }),
  ),
  /** The deletion of the account, which has begun; null for every other account. */
  deletion: z.nullable(
    z.object({
      step: DeletionStep,
      since: EpochMs,
      /** The code of the error that stopped this step; null while it runs. */
      error: z.nullable(z.string()),
    }),
  ),
  /** What the admin may do to this account right now. */
  abilities: z.record(AdminAction, z.boolean()),
})
export type UserDetail = z.output<typeof UserDetail>

const Changed = z.object({ success: Succeeded, message: z.string() })
/** What the calls that change a user have in common. */
const userChange = { access: 'admin', params: UserParams, reply: Changed } as const
const changeErrors = ['NOT_FOUND', 'PASSWORD_PROOF_REQUIRED', 'RATE_LIMITED'] as const

/** The calls of the admin area. Those that change something need a recent password or second factor. */
export const admin = {
  status: adminStatus,
  users: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    summary: 'List the accounts of this server, a page at a time',
    access: 'admin',
    query: z.object({
      page: z.optional(z.pipe(DecimalText, z.int().check(z.gte(1), z.lte(adminLimits.maximumPage)))),
      limit: z.optional(z.pipe(DecimalText, z.int().check(z.gte(1), z.lte(adminLimits.maximumUsersPerPage)))),
      sort_by: z.optional(UserSortKey),
      sort_order: z.optional(z.enum(['asc', 'desc'])),
      /** Part of an email address or phone number. */
      search: z.optional(z.string().check(z.maxLength(adminLimits.maximumSearchLength))),
      license_type: z.optional(LicenceFilter),
    }),
    reply: z.object({
      success: Succeeded,
      users: z.array(ListedUser).check(z.maxLength(adminLimits.maximumUsersPerPage)),
      pagination: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
    }),
    errors: ['RATE_LIMITED'],
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/admin/users/:id/detailed',
    summary: 'Get sizes, counts and times of an account, and what I may do to it',
    access: 'admin',
    params: UserParams,
    reply: UserDetail,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  userSubscription: endpoint({
    method: 'GET',
    path: '/api/admin/users/:id/subscription',
    summary: 'Get the subscription of an account',
    access: 'admin',
    params: UserParams,
    reply: z.object({
      success: Succeeded,
      subscription: z.nullable(z.object({ ...subscriptionFields, ...providerIds, price_cents: z.nullable(z.int()) })),
    }),
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  cancelUserSubscription: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/cancel-subscription',
    summary: 'Cancel the subscription of an account at the end of the paid period',
    ...userChange,
    errors: [...changeErrors, 'NO_SUBSCRIPTION', 'PAYMENTS_AWAY', 'PAYMENTS_REFUSED'],
  }),
  syncUserSubscription: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/sync-subscription',
    summary: 'Read the checkouts and subscriptions of an account from the payment provider now',
    ...userChange,
    errors: ['NOT_FOUND', 'PAYMENTS_OFF', 'PAYMENTS_AWAY', 'PAYMENTS_REFUSED', 'RATE_LIMITED'],
  }),
  extendUserSubscription: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/extend-subscription',
    summary: 'Extend the subscription of an account, or else its licence, by a number of days',
    ...userChange,
    body: z.object({ days: z.int().check(z.gte(1), z.lte(adminLimits.maximumDays)) }),
    errors: [...changeErrors, 'LICENSE_UNLIMITED'],
  }),
  setUserLicence: endpoint({
    method: 'PUT',
    path: '/api/admin/users/:id/license',
    summary: 'Give an account a licence, which replaces those of keys and links',
    ...userChange,
    body: z.object({ license_type: LicenceType }),
    errors: changeErrors,
  }),
  promoteUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/promote',
    summary: 'Make a user an admin',
    ...userChange,
    errors: changeErrors,
  }),
  demoteUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/demote',
    summary: 'Take the rights of an admin away, unless nobody else has them',
    ...userChange,
    errors: [...changeErrors, 'LAST_ADMIN'],
  }),
  banUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/ban',
    summary: 'Sign a user out on all devices and allow no new sign-in',
    ...userChange,
    errors: [...changeErrors, 'LAST_ADMIN', 'OWN_ACCOUNT'],
  }),
  unbanUser: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/unban',
    summary: 'Allow a banned user to sign in again',
    ...userChange,
    errors: changeErrors,
  }),
  signUserOut: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/sign-out',
    summary: 'Sign a user out on all devices',
    ...userChange,
    errors: changeErrors,
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/admin/users/:id',
    summary: 'Delete a user with everything stored for them, or retry a deletion that has failed',
    access: 'admin',
    params: UserParams,
    body: z.optional(
      z.object({
        /** As typed by the admin: the email address, or the phone number of an account without one. */
        email: z.optional(z.string().check(z.maxLength(adminLimits.maximumSearchLength))),
        /** What happens to the organization that the user owns; it is closed by default. */
        organization: z.optional(z.union([z.object({ to: Id }), z.object({ close: z.literal(true) })])),
      }),
    ),
    reply: z.object({
      success: Succeeded,
      message: z.string(),
      /** `deleting` if it takes longer than a few seconds. */
      state: z.enum(['deleted', 'deleting']),
    }),
    errors: [...changeErrors, 'NAME_DIFFERS', 'LAST_ADMIN', 'OWN_ACCOUNT'],
  }),
}

interface NamedAccount {
  readonly id: string
  readonly email: string | null
  /** Digits only. */
  readonly phone: string | null
}

/** Whether a typed text is the email address of an account, or else its phone number, or else its id. */
export function isAccountName(typed: string, { id, email, phone }: NamedAccount): boolean {
  if (email) return typed.trim().toLowerCase() === email.toLowerCase()
  return phone === null ? typed.trim() === id : typed.replace(/\D/g, '') === phone
}
