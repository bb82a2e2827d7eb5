import * as z from 'zod/mini'
import { endpoint, nothing } from './endpoint.ts'
import { Id } from './fields.ts'

/** Where the provider that comes with the server answers; the paths below follow it. */
export const authPrefix = '/auth/v1'

/** A caller that sends this header with this value (or a later date) is answered with refusals named by `code`. */
export const authVersionHeader = 'x-supabase-api-version'
export const authVersion = '2024-01-01'

/** `short` ends after three hours; `remember` slides seven days from the last refresh. */
export const SignInPolicy = z.enum(['short', 'remember'])
export type SignInPolicy = z.output<typeof SignInPolicy>

const Time = z.iso.datetime()
const Claims = z.record(z.string(), z.unknown())

const Identity = z.object({
  identity_id: Id,
  /** The provider's own name for the person. */
  id: z.string(),
  user_id: Id,
  identity_data: Claims,
  provider: z.enum(['email', 'phone']),
  last_sign_in_at: z.optional(Time),
  created_at: Time,
  updated_at: Time,
  email: z.optional(z.string()),
})

export const AuthUser = z.object({
  id: Id,
  aud: z.literal('authenticated'),
  role: z.literal('authenticated'),
  /** Empty when there is none. */
  email: z.string(),
  /** Empty when there is none. */
  phone: z.string(),
  app_metadata: Claims,
  user_metadata: Claims,
  identities: z.array(Identity),
  is_anonymous: z.literal(false),
  created_at: Time,
  updated_at: Time,
  email_confirmed_at: z.optional(Time),
  phone_confirmed_at: z.optional(Time),
  confirmed_at: z.optional(Time),
  last_sign_in_at: z.optional(Time),
  banned_until: z.optional(Time),
})
export type AuthUser = z.output<typeof AuthUser>

/** A sign-in as the browser keeps it. */
export const AuthSession = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
  /** Epoch seconds. */
  expires_at: z.int(),
  refresh_token: z.string(),
  user: AuthUser,
})
export type AuthSession = z.output<typeof AuthSession>

const PublicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
})
export type PublicKey = z.output<typeof PublicKey>

const Policy = z.object({ 'x-session-policy': z.optional(SignInPolicy) })
const Bearer = z.object({ authorization: z.optional(z.string()) })

const credentials = {
  email: z.optional(z.string().check(z.maxLength(1024))),
  phone: z.optional(z.string().check(z.maxLength(1024))),
  password: z.optional(z.string().check(z.maxLength(1024))),
}

/** The provider's calls, in the wire protocol its published client speaks; each checks bearer tokens by that protocol. */
export const authProvider = {
  token: endpoint({
    method: 'POST',
    path: '/token',
    summary: 'Sign in by password, or go on with a refresh token',
    access: 'anyone',
    query: z.object({ grant_type: z.optional(z.string()) }),
    headers: Policy,
    body: z.object({ ...credentials, refresh_token: z.optional(z.string().check(z.maxLength(1024))) }),
    reply: AuthSession,
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/signup',
    summary: 'Create a user and sign in',
    access: 'anyone',
    headers: Policy,
    body: z.object({ ...credentials, data: z.optional(z.nullable(Claims)) }),
    reply: AuthSession,
  }),
  user: endpoint({
    method: 'GET',
    path: '/user',
    summary: 'The user a token belongs to',
    access: 'anyone',
    headers: Bearer,
    reply: AuthUser,
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/logout',
    summary: 'End this sign-in, all of them, or all others',
    access: 'anyone',
    headers: Bearer,
    query: z.object({ scope: z._default(z.enum(['global', 'local', 'others']), 'global') }),
    reply: nothing,
  }),
  jwks: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that access tokens are checked with',
    access: 'anyone',
    reply: z.object({ keys: z.array(PublicKey) }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Answers while the provider serves',
    access: 'anyone',
    reply: z.object({ name: z.string(), version: z.string(), description: z.string() }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/settings',
    summary: 'Which ways to sign in this provider offers',
    access: 'anyone',
    reply: z.object({
      external: z.record(z.string(), z.boolean()),
      disable_signup: z.boolean(),
      mailer_autoconfirm: z.boolean(),
      phone_autoconfirm: z.boolean(),
      sms_provider: z.string(),
      mfa_enabled: z.boolean(),
      saml_enabled: z.boolean(),
    }),
  }),
}

/** What the provider refuses with; names, statuses and sentences are the protocol's. */
export const authErrorCatalogue = {
  bad_json: { status: 400, text: 'Could not parse request body as JSON' },
  validation_failed: { status: 400, text: 'The request could not be understood' },
  derived_secret_required: {
    status: 400,
    text: 'Passwords never travel to the server. Send the derived login secret instead.',
  },
  invalid_credentials: { status: 400, text: 'Invalid login credentials' },
  email_not_confirmed: { status: 400, text: 'Email not confirmed' },
  phone_not_confirmed: { status: 400, text: 'Phone not confirmed' },
  user_banned: { status: 400, text: 'User is banned' },
  weak_password: { status: 422, text: 'Password should be at least 6 characters.' },
  user_already_exists: { status: 422, text: 'User already registered' },
  anonymous_provider_disabled: { status: 422, text: 'Anonymous sign-ins are disabled' },
  refresh_token_not_found: { status: 400, text: 'Invalid Refresh Token: Refresh Token Not Found' },
  refresh_token_already_used: { status: 400, text: 'Invalid Refresh Token: Already Used' },
  session_expired: { status: 400, text: 'Invalid Refresh Token: Session Expired' },
  no_authorization: { status: 401, text: 'This endpoint requires a valid Bearer token' },
  bad_jwt: { status: 403, text: 'invalid JWT: unable to parse or verify signature' },
  session_not_found: { status: 403, text: 'Session from session_id claim in JWT does not exist' },
  over_request_rate_limit: { status: 429, text: 'Request rate limit reached' },
  unexpected_failure: { status: 500, text: 'Something went wrong on the server. Please try again.' },
} as const satisfies Record<string, { status: number; text: string }>

export type AuthErrorCode = keyof typeof authErrorCatalogue
