import * as z from 'zod/mini'
import { AuthSession, SessionLifetime } from './auth.ts'
import { anyAccount, endpoint } from './endpoint.ts'
import { Credential, Id, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

const email = z.optional(z.string().check(z.maxLength(320)))
const phone = z.optional(z.string().check(z.maxLength(32)))

export { LicenceType }

const ExpirationChoice = z.object({ label: z.string(), value: z.int() })

export const Settings = z.object({
  success: Succeeded,
  /** Repeated in three fields for clients of the specification. */
  current_expiry_minutes: z.int(),
  defaultExpirationMinutes: z.int(),
  settings: z.object({ defaultExpirationMinutes: z.int() }),
  expiry_options: z.object({ minutes: z.array(ExpirationChoice) }),
})

const signInReplyFields = {
  session: AuthSession,
  user: z.object({ id: Id, email: z.string() }),
  /** The session can only make the calls that complete two-factor authentication. */
  mfa_required: z.optional(z.boolean()),
  upgrade_required: z.boolean(),
  trial_expired: z.boolean(),
  upgrade_message: z.optional(z.string()),
}

/**
 * Sent with the codes `TRIAL_EXPIRED` and `LICENSE_EXPIRED`: a session that can only make the calls to obtain a new
 * licence.
 */
export const UpgradeErrorBody = z.object(signInReplyFields)
export type UpgradeErrorBody = z.output<typeof UpgradeErrorBody>

export const RegistrationReply = z.object({
  success: Succeeded,
  user: z.object({ id: Id, email: z.string() }),
  message: z.string(),
})
export const registrationErrors = [
  'EMAIL_INVALID',
  'DERIVED_SECRET_REQUIRED',
  'REGISTRATION_FAILED',
  'REGISTRATION_CLOSED',
  'EMAIL_DOMAIN_NOT_ALLOWED',
] as const

export const accounts = {
  prelogin: endpoint({
    method: 'POST',
    path: '/api/auth/prelogin',
    summary: 'Get the salt of the login secret for an email address; unknown addresses get a reply of the same form',
    access: 'anyone',
    body: z.object({ email, phone }),
    reply: z.object({ success: Succeeded, salt: z.string(), profiles: z.array(z.int()) }),
    errors: ['EMAIL_OR_PHONE_REQUIRED', 'EMAIL_INVALID', 'RATE_LIMITED'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/login',
    summary: 'Sign in with the login secret derived from the password',
    access: 'anyone',
    headers: z.object({ 'x-session-policy': z.optional(SessionLifetime) }),
    body: z.object({ email, phone, password: z.optional(Credential) }),
    reply: z.object({ success: Succeeded, ...signInReplyFields }),
    errors: [
      'EMAIL_OR_PHONE_REQUIRED',
      'DERIVED_SECRET_REQUIRED',
      'INVALID_CREDENTIALS',
      'USER_NOT_FOUND',
      'EMAIL_NOT_VERIFIED',
      'EMAIL_INVALID',
      'TRIAL_EXPIRED',
      'LICENSE_EXPIRED',
      'LICENSE_CHECK_FAILED',
      'LICENSE_PARSE_FAILED',
      'RATE_LIMITED',
    ],
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/register',
    summary: 'Create an account with a trial licence',
    access: 'anyone',
    body: z.object({
      email: z.string().check(z.maxLength(320)),
      password: Credential,
      licenseKey: z.optional(z.string().check(z.maxLength(64))),
    }),
    reply: RegistrationReply,
    errors: [...registrationErrors, 'LICENSE_KEY_INVALID', 'LICENSE_KEY_USED', 'RATE_LIMITED'],
  }),
  userInfo: endpoint({
    method: 'GET',
    path: '/api/user-info',
    summary: 'Get my account, my licence and how much of its storage I use',
    ...anyAccount,
    reply: z.object({
      success: Succeeded,
      user: z.object({
        id: Id,
        username: z.string(),
        email: z.string(),
        license_type: LicenceType,
        license_expires_at: z.nullable(z.int()),
        storage_used_bytes: z.int(),
        storage_limit_bytes: z.int(),
      }),
    }),
    errors: ['LICENSE_PARSE_FAILED'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account',
    summary: 'Delete my account with its files, messages and keys, once my password was verified in this session',
    ...anyAccount,
    reply: z.object({ success: Succeeded }),
    errors: ['LAST_ADMIN', 'PASSWORD_PROOF_REQUIRED'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/settings',
    summary: 'Get my settings and the available choices',
    access: 'account',
    reply: Settings,
  }),
  saveSettings: endpoint({
    method: 'POST',
    path: '/api/settings',
    summary: 'Save my settings',
    access: 'account',
    body: z.object({ defaultExpirationMinutes: z.int() }),
    reply: Settings,
    errors: ['EXPIRATION_NOT_OFFERED'],
  }),
}
