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

/** A second factor; what makes its codes is never part of it. */
export const Factor = z.object({
  id: Id,
  friendly_name: z.optional(z.string()),
  factor_type: z.enum(['totp', 'phone', 'webauthn']),
  status: z.enum(['verified', 'unverified']),
  phone: z.optional(z.string()),
  created_at: Time,
  updated_at: Time,
  last_challenged_at: z.optional(Time),
})
export type Factor = z.output<typeof Factor>

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
  is_anonymous: z.boolean(),
  created_at: Time,
  updated_at: Time,
  email_confirmed_at: z.optional(Time),
  phone_confirmed_at: z.optional(Time),
  confirmed_at: z.optional(Time),
  last_sign_in_at: z.optional(Time),
  banned_until: z.optional(Time),
  confirmation_sent_at: z.optional(Time),
  recovery_sent_at: z.optional(Time),
  email_change_sent_at: z.optional(Time),
  phone_change_sent_at: z.optional(Time),
  reauthentication_sent_at: z.optional(Time),
  invited_at: z.optional(Time),
  deleted_at: z.optional(Time),
  new_email: z.optional(z.string()),
  new_phone: z.optional(z.string()),
  factors: z.optional(z.array(Factor)),
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

const keyFacts = { kid: z.string(), use: z.literal('sig') }
const PublicKey = z.union([
  z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    alg: z.literal('ES256'),
    ...keyFacts,
  }),
  z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string(), alg: z.literal('RS256'), ...keyFacts }),
])
export type PublicKey = z.output<typeof PublicKey>

const Policy = z.object({ 'x-session-policy': z.optional(SignInPolicy) })
const Bearer = z.object({ authorization: z.optional(z.string()) })

const text = z.optional(z.nullable(z.string().check(z.maxLength(1024))))
const named = { email: text, phone: text }
const metadata = z.optional(z.nullable(Claims))
/** What lets nobody but the asking browser go on by the link. */
const challenge = { code_challenge: text, code_challenge_method: text }
const Redirect = z.object({ redirect_to: z.optional(z.string().check(z.maxLength(2048))) })
/** Nothing, or the id of the text message. */
const Sent = z.object({ message_id: z.optional(z.string()) })
const factorParams = z.object({ id: z.string() })

const userCalls = {
  token: endpoint({
    method: 'POST',
    path: '/token',
    summary: 'Sign in by password, or go on with a refresh token',
    access: 'anyone',
    query: z.object({ grant_type: z.optional(z.string()) }),
    headers: Policy,
    body: z.object({ ...named, password: text, refresh_token: text, auth_code: text, code_verifier: text }),
    reply: AuthSession,
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/signup',
    summary: 'Create a user, and sign in unless the address has to be confirmed first',
    access: 'anyone',
    query: Redirect,
    headers: Policy,
    body: z.object({ ...named, password: text, data: metadata, ...challenge }),
    reply: z.union([AuthSession, AuthUser]),
  }),
  otp: endpoint({
    method: 'POST',
    path: '/otp',
    summary: 'Send a link or a code that signs in',
    access: 'anyone',
    query: Redirect,
    body: z.object({ ...named, create_user: z.optional(z.nullable(z.boolean())), data: metadata, ...challenge }),
    reply: Sent,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/verify',
    summary: 'Use up the link or the code of a message',
    access: 'anyone',
    headers: Policy,
    body: z.object({ ...named, type: text, token: text, token_hash: text }),
    reply: z.union([AuthSession, z.object({ msg: z.string(), code: z.string() })]),
  }),
  resend: endpoint({
    method: 'POST',
    path: '/resend',
    summary: 'Send a confirmation once more; answers unknown addresses alike',
    access: 'anyone',
    query: Redirect,
    body: z.object({ ...named, type: text, ...challenge }),
    reply: Sent,
  }),
  recover: endpoint({
    method: 'POST',
    path: '/recover',
    summary: 'Send a link by which a password can be set anew; answers unknown addresses alike',
    access: 'anyone',
    query: Redirect,
    body: z.object({ ...named, ...challenge }),
    reply: z.object({}),
  }),
  user: endpoint({
    method: 'GET',
    path: '/user',
    summary: 'The user a token belongs to',
    access: 'anyone',
    headers: Bearer,
    reply: AuthUser,
  }),
  changeUser: endpoint({
    method: 'PUT',
    path: '/user',
    summary: 'Change my address, number, password or data',
    access: 'anyone',
    headers: Bearer,
    query: Redirect,
    body: z.object({ ...named, password: text, current_password: text, nonce: text, data: metadata, ...challenge }),
    reply: AuthUser,
  }),
  reauthenticate: endpoint({
    method: 'GET',
    path: '/reauthenticate',
    summary: 'Send a code that stands in for my present password',
    access: 'anyone',
    headers: Bearer,
    reply: z.object({}),
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
}

const factorCalls = {
  enrol: endpoint({
    method: 'POST',
    path: '/factors',
    summary: 'Begin to set up a second factor',
    access: 'anyone',
    headers: Bearer,
    body: z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text }),
    reply: z.object({
      id: Id,
      type: z.string(),
      friendly_name: z.optional(z.string()),
      phone: z.optional(z.string()),
      totp: z.optional(z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() })),
    }),
  }),
  challenge: endpoint({
    method: 'POST',
    path: '/factors/:id/challenge',
    summary: 'Ask to be asked for the code of a factor',
    access: 'anyone',
    headers: Bearer,
    params: factorParams,
    body: z.optional(z.object({})),
    reply: z.object({ id: Id, type: z.string(), expires_at: z.int() }),
  }),
  verifyFactor: endpoint({
    method: 'POST',
    path: '/factors/:id/verify',
    summary: 'Show the code of a factor; the sign-in reaches everything from then on',
    access: 'anyone',
    headers: Bearer,
    params: factorParams,
    body: z.object({ challenge_id: text, code: text }),
    reply: AuthSession,
  }),
  unenrol: endpoint({
    method: 'DELETE',
    path: '/factors/:id',
    summary: 'Remove a factor',
    access: 'anyone',
    headers: Bearer,
    params: factorParams,
    reply: z.object({ id: Id }),
  }),
}

const descriptions = {
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

const userParams = z.object({ id: z.string() })
const UserFacts = z.object({
  ...named,
  id: text,
  password: text,
  password_hash: text,
  email_confirm: z.optional(z.nullable(z.boolean())),
  phone_confirm: z.optional(z.nullable(z.boolean())),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
})

/** What the holder of a service key may do. */
const adminCalls = {
  createUser: endpoint({
    method: 'POST',
    path: '/admin/users',
    summary: 'Make a user; no message goes out',
    access: 'anyone',
    headers: Bearer,
    body: UserFacts,
    reply: AuthUser,
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/admin/users',
    summary: 'All users, newest first',
    access: 'anyone',
    headers: Bearer,
    query: z.object({ page: text, per_page: text, filter: text }),
    reply: z.object({ users: z.array(AuthUser), aud: z.string() }),
  }),
  findUser: endpoint({
    method: 'GET',
    path: '/admin/users/:id',
    summary: 'One user',
    access: 'anyone',
    headers: Bearer,
    params: userParams,
    reply: AuthUser,
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/admin/users/:id',
    summary: 'Change or ban a user',
    access: 'anyone',
    headers: Bearer,
    params: userParams,
    body: UserFacts,
    reply: AuthUser,
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id',
    summary: 'Remove a user',
    access: 'anyone',
    headers: Bearer,
    params: userParams,
    body: z.optional(z.object({ should_soft_delete: z.optional(z.nullable(z.boolean())) })),
    reply: z.object({}),
  }),
  listFactors: endpoint({
    method: 'GET',
    path: '/admin/users/:id/factors',
    summary: 'The second factors of a user',
    access: 'anyone',
    headers: Bearer,
    params: userParams,
    reply: z.array(Factor),
  }),
  deleteFactor: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id/factors/:factorId',
    summary: 'Remove a second factor of a user',
    access: 'anyone',
    headers: Bearer,
    params: z.object({ id: z.string(), factorId: z.string() }),
    reply: Factor,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/invite',
    summary: 'Make a user and mail them a link',
    access: 'anyone',
    headers: Bearer,
    query: Redirect,
    body: z.object({ email: text, data: metadata }),
    reply: AuthUser,
  }),
  generateLink: endpoint({
    method: 'POST',
    path: '/admin/generate_link',
    summary: 'A link as it would be mailed, for a mailer of your own',
    access: 'anyone',
    headers: Bearer,
    query: Redirect,
    body: z.object({ type: text, email: text, password: text, new_email: text, data: metadata, redirect_to: text }),
    reply: z.object({
      ...AuthUser.shape,
      action_link: z.string(),
      email_otp: z.string(),
      hashed_token: z.string(),
      verification_type: z.string(),
      redirect_to: z.string(),
    }),
  }),
}

/** Ways in that the protocol knows; clients that try them are told that they are off. */
const foreignWays = {
  singleSignOn: endpoint({
    method: 'POST',
    path: '/sso',
    summary: 'Single sign-on, which is not offered',
    access: 'anyone',
    body: z.optional(z.object({})),
    reply: z.object({}),
  }),
  authorise: endpoint({
    method: 'GET',
    path: '/authorize',
    summary: 'Signing in by another service, which is not offered',
    access: 'anyone',
    reply: z.object({}),
  }),
  linkIdentity: endpoint({
    method: 'GET',
    path: '/user/identities/authorize',
    summary: 'Joining an identity of another service, which is not offered',
    access: 'anyone',
    reply: z.object({}),
  }),
  unlinkIdentity: endpoint({
    method: 'DELETE',
    path: '/user/identities/:id',
    summary: 'Parting with an identity, which is not offered',
    access: 'anyone',
    params: z.object({ id: z.string() }),
    reply: z.object({}),
  }),
}

/** The provider's calls, in the wire protocol its published client speaks; each checks bearer tokens by that protocol. */
export const authProvider = { ...userCalls, ...factorCalls, ...descriptions, ...foreignWays, ...adminCalls }

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
  same_password: { status: 422, text: 'New password should be different from the old password.' },
  current_password_required: { status: 400, text: 'Current password required when setting new password.' },
  current_password_invalid: { status: 400, text: 'Current password is not right.' },
  reauthentication_needed: { status: 400, text: 'Password update requires reauthentication' },
  reauthentication_not_valid: { status: 422, text: 'Nonce has expired or is invalid' },
  user_already_exists: { status: 422, text: 'User already registered' },
  email_exists: { status: 422, text: 'A user with this email address has already been registered' },
  phone_exists: { status: 422, text: 'A user with this phone number has already been registered' },
  signup_disabled: { status: 422, text: 'Signups not allowed for this instance' },
  anonymous_provider_disabled: { status: 422, text: 'Anonymous sign-ins are disabled' },
  otp_disabled: { status: 422, text: 'Signups not allowed for otp' },
  otp_expired: { status: 403, text: 'Token has expired or is invalid' },
  sms_send_failed: { status: 422, text: 'Error sending confirmation OTP to provider' },
  refresh_token_not_found: { status: 400, text: 'Invalid Refresh Token: Refresh Token Not Found' },
  refresh_token_already_used: { status: 400, text: 'Invalid Refresh Token: Already Used' },
  session_expired: { status: 400, text: 'Invalid Refresh Token: Session Expired' },
  flow_state_not_found: { status: 404, text: 'invalid flow state, no valid flow state found' },
  bad_code_verifier: { status: 400, text: 'code challenge does not match previously saved code verifier' },
  no_authorization: { status: 401, text: 'This endpoint requires a valid Bearer token' },
  bad_jwt: { status: 403, text: 'invalid JWT: unable to parse or verify signature' },
  not_admin: { status: 403, text: 'User not allowed' },
  user_not_found: { status: 404, text: 'User not found' },
  session_not_found: { status: 403, text: 'Session from session_id claim in JWT does not exist' },
  insufficient_aal: { status: 401, text: 'AAL2 session is required to update email or password when MFA is enabled.' },
  mfa_factor_not_found: { status: 404, text: 'Factor not found' },
  mfa_challenge_expired: { status: 422, text: 'MFA challenge has expired, verify against another challenge' },
  mfa_verification_failed: { status: 422, text: 'Invalid TOTP code entered' },
  mfa_factor_name_conflict: { status: 422, text: 'A factor with this friendly name already exists' },
  mfa_verified_factor_exists: { status: 422, text: 'A verified phone factor for this number already exists' },
  too_many_enrolled_mfa_factors: { status: 422, text: 'Maximum number of factors reached, unenroll to continue' },
  mfa_phone_enroll_not_enabled: { status: 422, text: 'MFA enroll is disabled for Phone' },
  mfa_webauthn_enroll_not_enabled: { status: 422, text: 'MFA enroll is disabled for WebAuthn' },
  manual_linking_disabled: { status: 404, text: 'Manual linking is disabled' },
  saml_provider_disabled: { status: 404, text: 'SAML 2.0 is disabled' },
  web3_provider_disabled: { status: 422, text: 'Web3 provider is disabled' },
  provider_disabled: { status: 400, text: 'Unsupported provider: provider is not enabled' },
  over_request_rate_limit: { status: 429, text: 'Request rate limit reached' },
  over_email_send_rate_limit: {
    status: 429,
    text: 'For security purposes, you can only request this after a while.',
  },
  over_sms_send_rate_limit: { status: 429, text: 'For security purposes, you can only request this after a while.' },
  unexpected_failure: { status: 500, text: 'Something went wrong on the server. Please try again.' },
} as const satisfies Record<string, { status: number; text: string }>

export type AuthErrorCode = keyof typeof authErrorCatalogue
