import * as z from 'zod/mini'
import { AuthSession, AuthUser, Claims, Factor, PublicKey, SignInPolicy } from './auth.ts'
import { endpoint, nothing } from './endpoint.ts'
import { Id } from './fields.ts'

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
