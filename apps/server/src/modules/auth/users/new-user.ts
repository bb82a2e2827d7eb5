import { randomUUIDv7 } from 'node:crypto'
import type { Identifier, UserRecord } from './users.store.ts'

interface NewUserInput {
  /** Set only when a user is imported. */
  readonly id?: string | undefined
  readonly identifier: Identifier | null
  readonly confirmed: boolean
  /** The address is verified by an email, or by the operator of a server that sends email. */
  readonly emailVerified?: boolean
  readonly passwordHash: string | null
  /** JSON text. */
  readonly metadata?: string
  readonly now: number
}

/** Returns the row of a new user; without an identifier the user is anonymous. */
export function newUser({
  id = randomUUIDv7(),
  identifier,
  confirmed,
  emailVerified = false,
  passwordHash,
  metadata = '{}',
  now,
}: NewUserInput): UserRecord {
  const email = identifier && 'email' in identifier ? identifier.email : null
  const phone = identifier && 'phone' in identifier ? identifier.phone : null
  const confirmedAt = confirmed ? now : null
  const kind = email !== null ? 'email' : 'phone'
  return {
    id,
    email,
    phone,
    email_confirmed_at: email === null ? null : confirmedAt,
    email_proven_at: email !== null && emailVerified ? confirmedAt : null,
    phone_confirmed_at: phone === null ? null : confirmedAt,
    password_hash: passwordHash,
    app_metadata: JSON.stringify(identifier ? { provider: kind, providers: [kind] } : {}),
    user_metadata: metadata,
    banned_until: null,
    last_sign_in_at: null,
    active_day: null,
    confirmation_sent_at: null,
    recovery_sent_at: null,
    email_change_sent_at: null,
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    invited_at: null,
    deleted_at: null,
    deleting_since: null,
    new_email: null,
    new_phone: null,
    is_anonymous: identifier ? 0 : 1,
    created_at: now,
    updated_at: now,
  }
}

/** True when the user has confirmed this email address or phone number. */
export function isConfirmed(user: UserRecord, identifier: Identifier): boolean {
  return ('email' in identifier ? user.email_confirmed_at : user.phone_confirmed_at) !== null
}

/** Returns the email address or phone number as a string. */
export const identifierValue = (identifier: Identifier): string =>
  'email' in identifier ? identifier.email : identifier.phone
