import { randomUUIDv7 } from 'node:crypto'
import type { Identifier, UserRecord } from './users.store.ts'

interface Particulars {
  /** Only where a user moves here from elsewhere. */
  readonly id?: string | undefined
  readonly identifier: Identifier | null
  readonly confirmed: boolean
  /** A mail, or the operator of a server that sends mail, vouches for the address. */
  readonly proven?: boolean
  readonly passwordHash: string | null
  /** JSON text. */
  readonly metadata?: string
  readonly now: number
}

/** The row of a user who has just come; without an address or a number they are anonymous. */
export function newUser({
  id = randomUUIDv7(),
  identifier,
  confirmed,
  proven = false,
  passwordHash,
  metadata = '{}',
  now,
}: Particulars): UserRecord {
  const email = identifier && 'email' in identifier ? identifier.email : null
  const phone = identifier && 'phone' in identifier ? identifier.phone : null
  const confirmedAt = confirmed ? now : null
  const kind = email !== null ? 'email' : 'phone'
  return {
    id,
    email,
    phone,
    email_confirmed_at: email === null ? null : confirmedAt,
    email_proven_at: email !== null && proven ? confirmedAt : null,
    phone_confirmed_at: phone === null ? null : confirmedAt,
    password_hash: passwordHash,
    app_metadata: JSON.stringify(identifier ? { provider: kind, providers: [kind] } : {}),
    user_metadata: metadata,
    banned_until: null,
    last_sign_in_at: null,
    confirmation_sent_at: null,
    recovery_sent_at: null,
    email_change_sent_at: null,
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    invited_at: null,
    deleted_at: null,
    new_email: null,
    new_phone: null,
    is_anonymous: identifier ? 0 : 1,
    created_at: now,
    updated_at: now,
  }
}

/** True when the user has shown that the address or number they are named by is theirs. */
export function isConfirmed(user: UserRecord, identifier: Identifier): boolean {
  return ('email' in identifier ? user.email_confirmed_at : user.phone_confirmed_at) !== null
}

/** The address or the number itself. */
export const nameOf = (identifier: Identifier): string => ('email' in identifier ? identifier.email : identifier.phone)
