import * as z from 'zod/mini'
import { Id } from './fields.ts'

/** The path prefix of the server's own auth provider. */
export const authPrefix = '/auth/v1'

/** Callers that send this header with this date or a later one receive errors with a `code`. */
export const authVersionHeader = 'x-supabase-api-version'
export const authVersion = '2024-01-01'

/** `short` ends after three hours; `remember` ends seven days after the last refresh. */
export const SessionLifetime = z.enum(['short', 'remember'])
export type SessionLifetime = z.output<typeof SessionLifetime>

const Time = z.iso.datetime()
/** User metadata, which the protocol leaves open. */
export const Claims = z.record(z.string(), z.unknown())

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

/** A second factor, without its secret. */
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

/** An auth session as the browser stores it. */
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

const jwkFields = { kid: z.string(), use: z.literal('sig') }
export const PublicKey = z.union([
  z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    alg: z.literal('ES256'),
    ...jwkFields,
  }),
  z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string(), alg: z.literal('RS256'), ...jwkFields }),
])
export type PublicKey = z.output<typeof PublicKey>
