import { createHash } from 'node:crypto'
import type { AuthUser, Factor } from '@sallyport/contract/auth'
import type { FactorRecord } from '../factors/factors.store.ts'
import type { UserRecord } from './users.store.ts'

/** Formats a user for the auth protocol, without any credential. */
export function formatUser(user: UserRecord, factors: readonly FactorRecord[] = []): AuthUser {
  const confirmedAt = user.email_confirmed_at ?? user.phone_confirmed_at
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: JSON.parse(user.app_metadata),
    user_metadata: JSON.parse(user.user_metadata),
    identities: formatIdentities(user),
    is_anonymous: user.is_anonymous === 1,
    created_at: formatTime(user.created_at),
    updated_at: formatTime(user.updated_at),
    ...(confirmedAt !== null && { confirmed_at: formatTime(confirmedAt) }),
    ...lastSignIn(user),
    ...Object.fromEntries(timeColumns.flatMap((name) => (user[name] === null ? [] : [[name, formatTime(user[name])]]))),
    ...(user.new_email !== null && { new_email: user.new_email }),
    ...(user.new_phone !== null && { new_phone: user.new_phone }),
    ...(factors.length > 0 && { factors: factors.map(formatFactor) }),
  }
}

const timeColumns = [
  'email_confirmed_at',
  'phone_confirmed_at',
  'banned_until',
  'confirmation_sent_at',
  'recovery_sent_at',
  'email_change_sent_at',
  'phone_change_sent_at',
  'reauthentication_sent_at',
  'invited_at',
  'deleted_at',
] as const

export function formatFactor(factor: FactorRecord): Factor {
  return {
    id: factor.id,
    factor_type: factor.type,
    status: factor.verified_at === null ? 'unverified' : 'verified',
    ...(factor.friendly_name !== null && { friendly_name: factor.friendly_name }),
    ...(factor.phone !== null && { phone: factor.phone }),
    created_at: formatTime(factor.created_at),
    updated_at: formatTime(factor.updated_at),
    ...(factor.last_challenged_at !== null && { last_challenged_at: formatTime(factor.last_challenged_at) }),
  }
}

type Identity = AuthUser['identities'][number]

function formatIdentities(user: UserRecord): Identity[] {
  const { email, phone } = user
  const verification = {
    email_verified: user.email_proven_at !== null,
    phone_verified: user.phone_confirmed_at !== null,
    sub: user.id,
  }
  return [
    ...(email === null ? [] : [{ ...identityOf(user, 'email'), email, identity_data: { email, ...verification } }]),
    ...(phone === null ? [] : [{ ...identityOf(user, 'phone'), identity_data: { phone, ...verification } }]),
  ]
}

function identityOf(user: UserRecord, provider: Identity['provider']) {
  return {
    identity_id: identityId(user.id, provider),
    id: user.id,
    user_id: user.id,
    provider,
    ...lastSignIn(user),
    created_at: formatTime(user.created_at),
    updated_at: formatTime(user.updated_at),
  }
}

/** Derives the id of an identity (a UUIDv8) from the user and the kind, because a user has one identity per kind. */
function identityId(userId: string, provider: string): string {
  const digest = createHash('sha256').update(`${provider}|${userId}`).digest('hex')
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`]
    .concat(digest.slice(20, 32))
    .join('-')
}

const lastSignIn = (user: UserRecord) =>
  user.last_sign_in_at === null ? {} : { last_sign_in_at: formatTime(user.last_sign_in_at) }

const formatTime = (epochMs: number): string => new Date(epochMs).toISOString()
