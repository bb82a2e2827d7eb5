import * as z from 'zod/mini'
import { AuthSession, AuthUser, Claims, Factor, PublicKey, SessionLifetime } from './auth.ts'
import { endpoint, nothing } from './endpoint.ts'
import { Id } from './fields.ts'

const LifetimeHeaders = z.object({ 'x-session-policy': z.optional(SessionLifetime) })
const BearerHeaders = z.object({ authorization: z.optional(z.string()) })

const optionalText = z.optional(z.nullable(z.string().check(z.maxLength(1024))))
const contactFields = { email: optionalText, phone: optionalText }
const metadata = z.optional(z.nullable(Claims))
/** The PKCE challenge, so that only the requesting browser can use the link. */
const challenge = { code_challenge: optionalText, code_challenge_method: optionalText }
const RedirectQuery = z.object({ redirect_to: z.optional(z.string().check(z.maxLength(2048))) })
/** Empty, or with the id of the text message. */
const MessageReply = z.object({ message_id: z.optional(z.string()) })
const factorParams = z.object({ id: z.string() })

const userCalls = {
  token: endpoint({
    method: 'POST',
    path: '/token',
    summary: 'Sign in with a password, or refresh a session',
    access: 'anyone',
    query: z.object({ grant_type: z.optional(z.string()) }),
    headers: LifetimeHeaders,
    body: z.object({
      ...contactFields,
      password: optionalText,
      refresh_token: optionalText,
      auth_code: optionalText,
      code_verifier: optionalText,
    }),
    reply: AuthSession,
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/signup',
    summary: 'Create a user, and sign in unless the email address has to be confirmed first',
    access: 'anyone',
    query: RedirectQuery,
    headers: LifetimeHeaders,
    body: z.object({ ...contactFields, password: optionalText, data: metadata, ...challenge }),
    reply: z.union([AuthSession, AuthUser]),
  }),
  otp: endpoint({
    method: 'POST',
    path: '/otp',
    summary: 'Send a link or a code that signs in',
    access: 'anyone',
    query: RedirectQuery,
    body: z.object({
      ...contactFields,
      create_user: z.optional(z.nullable(z.boolean())),
      data: metadata,
      ...challenge,
    }),
    reply: MessageReply,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/verify',
    summary: 'Verify the link or the code of a message',
    access: 'anyone',
    headers: LifetimeHeaders,
    body: z.object({ ...contactFields, type: optionalText, token: optionalText, token_hash: optionalText }),
    reply: z.union([AuthSession, z.object({ msg: z.string(), code: z.string() })]),
  }),
  resend: endpoint({
    method: 'POST',
    path: '/resend',
    summary: 'Send a confirmation again; unknown addresses get the same reply',
    access: 'anyone',
    query: RedirectQuery,
    body: z.object({ ...contactFields, type: optionalText, ...challenge }),
    reply: MessageReply,
  }),
  recover: endpoint({
    method: 'POST',
    path: '/recover',
    summary: 'Send a link to reset the password; unknown addresses get the same reply',
    access: 'anyone',
    query: RedirectQuery,
    body: z.object({ ...contactFields, ...challenge }),
    reply: z.object({}),
  }),
  user: endpoint({
    method: 'GET',
    path: '/user',
    summary: 'Get the user of the token',
    access: 'anyone',
    headers: BearerHeaders,
    reply: AuthUser,
  }),
  changeUser: endpoint({
    method: 'PUT',
    path: '/user',
    summary: 'Change my email address, phone number, password or data',
    access: 'anyone',
    headers: BearerHeaders,
    query: RedirectQuery,
    body: z.object({
      ...contactFields,
      password: optionalText,
      current_password: optionalText,
      nonce: optionalText,
      data: metadata,
      ...challenge,
    }),
    reply: AuthUser,
  }),
  reauthenticate: endpoint({
    method: 'GET',
    path: '/reauthenticate',
    summary: 'Send a code that replaces my current password',
    access: 'anyone',
    headers: BearerHeaders,
    reply: z.object({}),
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/logout',
    summary: 'Sign out of this session, of all sessions, or of all others',
    access: 'anyone',
    headers: BearerHeaders,
    query: z.object({ scope: z._default(z.enum(['global', 'local', 'others']), 'global') }),
    reply: nothing,
  }),
}

const factorCalls = {
  enrol: endpoint({
    method: 'POST',
    path: '/factors',
    summary: 'Enrol a second factor',
    access: 'anyone',
    headers: BearerHeaders,
    body: z.object({
      factor_type: optionalText,
      friendly_name: optionalText,
      issuer: optionalText,
      phone: optionalText,
    }),
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
    summary: 'Start a challenge for the code of a factor',
    access: 'anyone',
    headers: BearerHeaders,
    params: factorParams,
    body: z.optional(z.object({})),
    reply: z.object({ id: Id, type: z.string(), expires_at: z.int() }),
  }),
  verifyFactor: endpoint({
    method: 'POST',
    path: '/factors/:id/verify',
    summary: 'Verify the code of a factor; raises the session to AAL2',
    access: 'anyone',
    headers: BearerHeaders,
    params: factorParams,
    body: z.object({ challenge_id: optionalText, code: optionalText }),
    reply: AuthSession,
  }),
  unenrol: endpoint({
    method: 'DELETE',
    path: '/factors/:id',
    summary: 'Remove a factor',
    access: 'anyone',
    headers: BearerHeaders,
    params: factorParams,
    reply: z.object({ id: Id }),
  }),
}

const discoveryCalls = {
  jwks: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Get the public keys that verify access tokens',
    access: 'anyone',
    reply: z.object({ keys: z.array(PublicKey) }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Check that the provider is running',
    access: 'anyone',
    reply: z.object({ name: z.string(), version: z.string(), description: z.string() }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/settings',
    summary: 'Get the sign-in methods of this provider',
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
const AdminUserBody = z.object({
  ...contactFields,
  id: optionalText,
  password: optionalText,
  password_hash: optionalText,
  email_confirm: z.optional(z.nullable(z.boolean())),
  phone_confirm: z.optional(z.nullable(z.boolean())),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: optionalText,
})

/** The calls of the holder of a service key. */
const adminCalls = {
  createUser: endpoint({
    method: 'POST',
    path: '/admin/users',
    summary: 'Create a user without sending a message',
    access: 'anyone',
    headers: BearerHeaders,
    body: AdminUserBody,
    reply: AuthUser,
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/admin/users',
    summary: 'List all users, newest first',
    access: 'anyone',
    headers: BearerHeaders,
    query: z.object({ page: optionalText, per_page: optionalText, filter: optionalText }),
    reply: z.object({ users: z.array(AuthUser), aud: z.string() }),
  }),
  findUser: endpoint({
    method: 'GET',
    path: '/admin/users/:id',
    summary: 'Get a user',
    access: 'anyone',
    headers: BearerHeaders,
    params: userParams,
    reply: AuthUser,
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/admin/users/:id',
    summary: 'Change or ban a user',
    access: 'anyone',
    headers: BearerHeaders,
    params: userParams,
    body: AdminUserBody,
    reply: AuthUser,
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id',
    summary: 'Delete a user',
    access: 'anyone',
    headers: BearerHeaders,
    params: userParams,
    body: z.optional(z.object({ should_soft_delete: z.optional(z.nullable(z.boolean())) })),
    reply: z.object({}),
  }),
  listFactors: endpoint({
    method: 'GET',
    path: '/admin/users/:id/factors',
    summary: 'List the second factors of a user',
    access: 'anyone',
    headers: BearerHeaders,
    params: userParams,
    reply: z.array(Factor),
  }),
  deleteFactor: endpoint({
    method: 'DELETE',
    path: '/admin/users/:id/factors/:factorId',
    summary: 'Delete a second factor of a user',
    access: 'anyone',
    headers: BearerHeaders,
    params: z.object({ id: z.string(), factorId: z.string() }),
    reply: Factor,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/invite',
    summary: 'Create a user and send an invitation link',
    access: 'anyone',
    headers: BearerHeaders,
    query: RedirectQuery,
    body: z.object({ email: optionalText, data: metadata }),
    reply: AuthUser,
  }),
  generateLink: endpoint({
    method: 'POST',
    path: '/admin/generate_link',
    summary: 'Create the link of an email without sending it',
    access: 'anyone',
    headers: BearerHeaders,
    query: RedirectQuery,
    body: z.object({
      type: optionalText,
      email: optionalText,
      password: optionalText,
      new_email: optionalText,
      data: metadata,
      redirect_to: optionalText,
    }),
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

/** Sign-in methods of the protocol that this provider does not offer; the calls answer with an error. */
const unsupportedCalls = {
  singleSignOn: endpoint({
    method: 'POST',
    path: '/sso',
    summary: 'Single sign-on (not offered)',
    access: 'anyone',
    body: z.optional(z.object({})),
    reply: z.object({}),
  }),
  authorise: endpoint({
    method: 'GET',
    path: '/authorize',
    summary: 'Sign in with another service (not offered)',
    access: 'anyone',
    reply: z.object({}),
  }),
  linkIdentity: endpoint({
    method: 'GET',
    path: '/user/identities/authorize',
    summary: 'Link an identity of another service (not offered)',
    access: 'anyone',
    reply: z.object({}),
  }),
  unlinkIdentity: endpoint({
    method: 'DELETE',
    path: '/user/identities/:id',
    summary: 'Unlink an identity (not offered)',
    access: 'anyone',
    params: z.object({ id: z.string() }),
    reply: z.object({}),
  }),
}

/**
 * The provider's calls, in the wire protocol of GoTrue's published client; each verifies bearer tokens according to
 * that protocol.
 */
export const authProvider = { ...userCalls, ...factorCalls, ...discoveryCalls, ...unsupportedCalls, ...adminCalls }
