import * as z from 'zod/mini'
import { anyAccount, endpoint } from './endpoint.ts'
import { ByteCount, Credential, EpochMs, Id, Succeeded } from './fields.ts'
import { membership } from './membership.ts'
import { InvitedRole, OrganizationRole, OrganizationStatus } from './organization-roles.ts'

const Email = z.string().check(z.maxLength(320))
/** The token of an emailed invitation, or `i.` and its id in a link that was copied. */
const InvitationToken = z.string().check(z.minLength(1), z.maxLength(256))
const AdditionalSeats = z.number()
const Message = z.object({ success: Succeeded, message: z.string() })

/** A request with the same key is carried out once. */
const IdempotencyHeaders = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
})

const Member = z.object({
  /** The same as `user_id`. */
  id: Id,
  user_id: Id,
  /** The phone number of an account without an address. */
  email: z.string(),
  role: OrganizationRole,
  joined_at: EpochMs,
  storage_used: ByteCount,
  file_count: z.int(),
  abilities: z.object({ remove: z.boolean(), change_role: z.boolean() }),
})
export type Member = z.output<typeof Member>

const PendingInvitation = z.object({
  id: Id,
  email: z.string(),
  role: InvitedRole,
  sent_at: EpochMs,
  /** Afterwards it takes no seat, and can be sent again. */
  expires_at: EpochMs,
  abilities: z.object({ manage: z.boolean() }),
})
export type PendingInvitation = z.output<typeof PendingInvitation>

const Dashboard = z.object({
  success: Succeeded,
  organization: z.object({
    id: Id,
    name: z.string(),
    status: OrganizationStatus,
    /** When the plan ends or, if it has ended, when it did; null while it will renew or has no end. */
    ends_at: z.nullable(EpochMs),
    total_seats: z.int(),
    /** Members and invitations that have not expired. */
    used_seats: z.int(),
    available_seats: z.int(),
    /** The part of all seats that is not paid for. */
    granted_seats: z.int(),
    seat_cents: z.int(),
    monthly_cost_cents: z.int(),
    your_role: OrganizationRole,
    abilities: z.object({
      invite: z.boolean(),
      invite_admins: z.boolean(),
      clear_invitations: z.boolean(),
      add_seats: z.boolean(),
      cancel: z.boolean(),
      buy: z.boolean(),
    }),
  }),
  /** The owner first, then in the order in which they joined. */
  members: z.array(Member),
  /** The newest first. */
  pending_invitations: z.array(PendingInvitation),
})

const Joined = z.object({ name: z.string(), role: OrganizationRole })

/** Organizations: teams of people whose seats one of them pays for. */
export const organizations = {
  dashboard: endpoint({
    method: 'GET',
    path: '/api/organization/dashboard',
    summary: 'Get the organization that I own or manage, with its members and invitations',
    ...anyAccount,
    reply: Dashboard,
    errors: ['NO_ORGANIZATION'],
  }),
  membership,
  invite: endpoint({
    method: 'POST',
    path: '/api/organization/invite',
    summary: 'Invite a person by email; the invitation takes a seat until it is cleared or expires',
    access: 'account',
    /** A member without a role. */
    body: z.object({ email: Email, role: z.optional(InvitedRole) }),
    reply: z.object({ success: Succeeded, message: z.string(), invitation: PendingInvitation }),
    errors: [
      'NO_ORGANIZATION',
      'EMAIL_INVALID',
      'NO_SEATS',
      'ALREADY_MEMBER',
      'INVITATION_PENDING',
      'ORGANIZATION_ENDED',
      'RATE_LIMITED',
    ],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/organization/resend-invitation',
    summary: 'Send an invitation again with a new link; the former one stops working',
    access: 'account',
    body: z.object({ email: Email }),
    reply: Message,
    errors: ['NO_ORGANIZATION', 'INVITATION_UNKNOWN', 'NO_SEATS', 'ORGANIZATION_ENDED', 'RATE_LIMITED'],
  }),
  clearInvitations: endpoint({
    method: 'DELETE',
    path: '/api/organization/clear-invitations',
    summary: 'Delete all pending invitations; an admin deletes those of members only',
    ...anyAccount,
    reply: z.object({ success: Succeeded, message: z.string(), cleared: z.int() }),
    errors: ['NO_ORGANIZATION', 'NO_INVITATIONS'],
  }),
  clearInvitation: endpoint({
    method: 'DELETE',
    path: '/api/organization/invitation/:id',
    summary: 'Delete a pending invitation',
    ...anyAccount,
    params: z.object({ id: Id }),
    reply: Message,
    errors: ['NO_ORGANIZATION', 'INVITATION_UNKNOWN'],
  }),
  previewSeats: endpoint({
    method: 'POST',
    path: '/api/organization/seats/preview',
    summary: 'Get what more seats cost now and per month',
    ...anyAccount,
    body: z.object({ additional_seats: AdditionalSeats }),
    reply: z.object({
      success: Succeeded,
      /** US cents for the rest of the current month. */
      now_cents: z.int(),
      /** US cents per month for all seats that are paid for. */
      monthly_cents: z.int(),
      total_seats: z.int(),
    }),
    errors: ['NO_ORGANIZATION', 'QUANTITY_INVALID', 'NO_SUBSCRIPTION'],
  }),
  addSeats: endpoint({
    method: 'POST',
    path: '/api/organization/add-seats',
    summary: 'Buy more seats; the rest of the current month is charged at once',
    ...anyAccount,
    headers: IdempotencyHeaders,
    body: z.object({ additional_seats: AdditionalSeats }),
    reply: z.object({ success: Succeeded, message: z.string(), total_seats: z.int() }),
    errors: [
      'NO_ORGANIZATION',
      'QUANTITY_INVALID',
      'NO_SUBSCRIPTION',
      'PAYMENT_DECLINED',
      'PAYMENT_UNCONFIRMED',
      'PAYMENTS_AWAY',
      'PAYMENTS_REFUSED',
      'CONFLICT',
    ],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/organization/member/:userId',
    summary: 'Remove a member, who goes back to a trial and keeps their own files',
    ...anyAccount,
    params: z.object({ userId: Id }),
    reply: Message,
    errors: ['NO_ORGANIZATION', 'MEMBER_IS_OWNER'],
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/api/organization/member/:userId/role',
    summary: 'Make a member an admin of the organization, or an admin a member',
    ...anyAccount,
    params: z.object({ userId: Id }),
    body: z.object({ role: InvitedRole }),
    reply: Message,
    errors: ['NO_ORGANIZATION', 'MEMBER_IS_OWNER'],
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/organization/leave',
    summary: 'Leave my organization and go back to a trial',
    ...anyAccount,
    reply: Message,
    errors: ['NO_ORGANIZATION', 'OWNER_CANNOT_LEAVE'],
  }),
  validateInvite: endpoint({
    method: 'GET',
    path: '/api/organization/validate-invite/:token',
    summary: 'Get what an invitation offers, without using it',
    access: 'anyone',
    params: z.object({ token: InvitationToken }),
    reply: z.object({
      success: Succeeded,
      /** Masked if the token is that of a copied link, which proves nothing about an address. */
      email: z.string(),
      organization_name: z.string(),
      role: InvitedRole,
      expires_at: EpochMs,
      /** Whether the address has a confirmed account. Always false for a copied link. */
      has_account: z.boolean(),
      /** Whether the link may create the account. Only an emailed one may. */
      can_create_account: z.boolean(),
    }),
    errors: ['ORGANIZATION_INVITATION_INVALID', 'RATE_LIMITED'],
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/organization/join',
    summary: 'Accept an emailed invitation with a new account, or with the password of the existing one',
    access: 'anyone',
    body: z.object({
      token: InvitationToken,
      email: Email,
      password: Credential,
      /** Chooses the text of an error and nothing else. */
      existing_account: z.optional(z.boolean()),
    }),
    reply: z.object({
      success: Succeeded,
      message: z.string(),
      organization: Joined,
      organization_name: z.string(),
      role: OrganizationRole,
    }),
    errors: [
      'ORGANIZATION_INVITATION_INVALID',
      'ACCOUNT_NEEDED',
      'ACCOUNT_EXISTS',
      'INVALID_CREDENTIALS',
      'SIGN_IN_FIRST',
      'ALREADY_IN_ORGANIZATION',
      'NO_SEATS',
      'DERIVED_SECRET_REQUIRED',
      'REGISTRATION_FAILED',
      'EMAIL_DOMAIN_NOT_ALLOWED',
      'RATE_LIMITED',
    ],
  }),
  autoJoin: endpoint({
    method: 'POST',
    path: '/api/organization/auto-join',
    summary: 'Accept the newest invitation to my proven address, if there is one',
    ...anyAccount,
    body: z.object({ user_id: z.string().check(z.maxLength(64)), email: Email }),
    reply: z.object({ success: Succeeded, joined: z.boolean(), organization: z.nullable(Joined) }),
  }),
  acceptInvite: endpoint({
    method: 'POST',
    path: '/api/organization/accept-invite',
    summary: 'Accept an invitation to my address by its token or the id in a copied link',
    ...anyAccount,
    body: z.object({ token: InvitationToken }),
    reply: z.object({ success: Succeeded, message: z.string(), organization: Joined }),
    errors: [
      'ORGANIZATION_INVITATION_INVALID',
      'INVITATION_FOR_ANOTHER',
      'ALREADY_IN_ORGANIZATION',
      'NO_SEATS',
      'RATE_LIMITED',
    ],
  }),
}
