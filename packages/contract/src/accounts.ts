import * as z from 'zod/mini'
import { AuthSession, SignInPolicy } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { Credential, Id, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'

const email = z.optional(z.string().check(z.maxLength(320)))
const phone = z.optional(z.string().check(z.maxLength(32)))

export { LicenceType }

const ExpirationChoice = z.object({ label: z.string(), value: z.int() })

export const Settings = z.object({
  success: Succeeded,
  /** In three places, as the specification's clients look for it in three. */
  current_expiry_minutes: z.int(),
  defaultExpirationMinutes: z.int(),
  settings: z.object({ defaultExpirationMinutes: z.int() }),
  expiry_options: z.object({ minutes: z.array(ExpirationChoice) }),
})

const SignedIn = {
  session: AuthSession,
  user: z.object({ id: Id, email: z.string() }),
  /** The session reaches nothing but the calls that take the second factor. */
  mfa_required: z.optional(z.boolean()),
  upgrade_required: z.boolean(),
  trial_expired: z.boolean(),
  upgrade_message: z.optional(z.string()),
}

/** Stands beside the code of `TRIAL_EXPIRED` and `LICENSE_EXPIRED`: a sign-in that reaches nothing but the way to a new licence. */
export const UpgradeRefusal = z.object(SignedIn)
export type UpgradeRefusal = z.output<typeof UpgradeRefusal>

export const accounts = {
  prelogin: endpoint({
    method: 'POST',
    path: '/api/auth/prelogin',
    summary: 'The salt from which an address derives its login secret; answers unknown addresses alike',
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
    headers: z.object({ 'x-session-policy': z.optional(SignInPolicy) }),
    body: z.object({ email, phone, password: z.optional(Credential) }),
    reply: z.object({ success: Succeeded, ...SignedIn }),
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
    reply: z.object({
      success: Succeeded,
      user: z.object({ id: Id, email: z.string() }),
      message: z.string(),
    }),
    errors: [
      'EMAIL_INVALID',
      'DERIVED_SECRET_REQUIRED',
      'REGISTRATION_FAILED',
      'LICENSE_KEY_INVALID',
      'LICENSE_KEY_USED',
      'RATE_LIMITED',
    ],
  }),
  userInfo: endpoint({
    method: 'GET',
    path: '/api/user-info',
    summary: 'Who I am, what licence I hold and how much of its room I use',
    access: 'account',
    without: ['licence'],
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
  settings: endpoint({
    method: 'GET',
    path: '/api/settings',
    summary: 'My settings and the choices there are',
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
