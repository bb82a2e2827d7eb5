import type { AuthSession, AuthUser, SessionLifetime } from '@sallyport/contract/auth'
import type { FindAccount } from '../../platform/http/caller.ts'

/** The client that made a request. */
export interface RequestOrigin {
  /** The IP address block, used for rate limits only. */
  readonly address: string
  readonly userAgent: string | undefined
}

/** An email address or, without one, a phone number, both as typed. */
export interface IdentifierInput {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface PasswordGrantInput extends IdentifierInput {
  readonly credential: string
  readonly sessionLifetime: SessionLifetime
  readonly origin: RequestOrigin
}

/** The current password of an account, entered in one of its auth sessions. */
export interface ReauthenticateInput {
  readonly userId: string
  readonly authSessionId: string
  readonly credential: string
  readonly origin: RequestOrigin
}

export interface CreateUserInput extends IdentifierInput {
  /** Without one the user cannot sign in before setting one through a recovery link. */
  readonly credential?: string | undefined
  /** True when the email address or phone number is known to belong to the user. */
  readonly confirmed: boolean
  /** The licence offer that is redeemed in the transaction that creates the user. */
  readonly offerId?: string | undefined
  /** The IP address block of the request, used for rate limits only. */
  readonly address?: string | undefined
}

/** Fields that are missing stay unchanged. Metadata is merged; a null value removes its key. */
export interface UserChange extends IdentifierInput {
  readonly credential?: string | undefined
  readonly confirmed?: boolean | undefined
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly appMetadata?: Readonly<Record<string, unknown>> | undefined
}

/** A user whose email address is not confirmed yet, and the token of the link that confirms it. */
interface SignUpLink {
  readonly user: AuthUser
  readonly tokenHash: string
}

/** An auth session as listed for its user. Times are epoch milliseconds. */
export interface AuthSessionSummary {
  readonly id: string
  /** The `User-Agent` of the browser; may be empty. */
  readonly userAgent: string
  readonly sessionLifetime: SessionLifetime
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly endsAt: number
}

/** A sign-in of the past, or the one that started an auth session. */
interface PastSignIn {
  readonly id: string
  /** The `User-Agent` of the browser; may be empty. */
  readonly userAgent: string
  /** Epoch milliseconds. */
  readonly signedInAt: number
}

/**
 * Manages users and auth sessions: either the embedded provider or a hosted one that speaks the same protocol.
 * Every method may throw an `AuthError`.
 */
export interface AuthProvider {
  readonly findAccount: FindAccount
  /** Signs in; only failures count against the rate limits. */
  passwordGrant(input: PasswordGrantInput): Promise<AuthSession>
  /** Verifies the password and marks the session as reauthenticated; throws `current_password_invalid` otherwise. */
  reauthenticate(input: ReauthenticateInput): Promise<void>
  /** True when the session entered its password or a second factor within the last minutes. */
  isRecentlyAuthenticated(authSessionId: string): Promise<boolean>
  /** Creates a user, or takes over an unconfirmed one; throws `user_already_exists` when the address is confirmed. */
  createUser(input: CreateUserInput): Promise<AuthUser>
  /**
   * Creates a user who cannot sign in before opening the link. Called again for an unconfirmed address, it returns
   * another link; the credential of the link that is opened becomes the password. Throws `user_already_exists` when the
   * address is confirmed.
   */
  createSignUpLink(input: {
    readonly email: string
    readonly credential: string
    readonly offerId?: string | undefined
    readonly address?: string | undefined
  }): Promise<SignUpLink>
  /** Returns the token of a link that resets the credential; null when the email address is unknown. */
  createRecoveryLink(email: string): Promise<string | null>
  /** Updates a user; a new credential ends all their auth sessions. Throws `user_not_found` for an unknown id. */
  updateUser(userId: string, change: UserChange): Promise<AuthUser>
  /** Returns the user, or null. */
  findUser(userId: string): Promise<AuthUser | null>
  /** Returns the user with this email address or phone number, or null. */
  findBy(input: IdentifierInput): Promise<AuthUser | null>
  /** Lists the user's auth sessions, most recently used first. */
  listAuthSessions(userId: string): Promise<AuthSessionSummary[]>
  /** Lists the user's sign-ins of the last 90 days, latest first. */
  listPastSignIns(userId: string): Promise<PastSignIn[]>
  /** Ends one auth session, or all of the user's. */
  endAuthSessions(userId: string, authSessionId?: string): Promise<void>
  /** Ends all of the user's auth sessions except this one; returns how many. */
  endOtherAuthSessions(userId: string, authSessionId: string): Promise<number>
  /** Bans a user until this time (epoch ms); null lifts the ban. */
  setBan(userId: string, until: number | null): Promise<void>
  /** Deletes a user and all their data in the database. */
  deleteUser(userId: string): Promise<void>
}
