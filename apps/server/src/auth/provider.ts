import type { AuthSession, AuthUser, SignInPolicy } from '@sallyport/contract/auth'
import type { FindAccount } from '../http/caller.ts'

/** Where a call came from. */
export interface Origin {
  /** The block of addresses, for limits only. */
  readonly address: string
  readonly userAgent: string | undefined
}

/** Somebody named by an address or, without one, by a number; both as they were typed. */
export interface Named {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface PasswordAttempt extends Named {
  readonly credential: string
  readonly policy: SignInPolicy
  readonly origin: Origin
}

export interface Newcomer extends Named {
  readonly credential: string
}

/**
 * Whoever keeps users and sign-ins: the one that comes with the server, or a hosted one of the same protocol.
 * Every call may be refused with an `AuthRefusal`.
 */
export interface AuthProvider {
  readonly findAccount: FindAccount
  /** Signs in; only failures count against the limits. */
  passwordGrant(attempt: PasswordAttempt): Promise<AuthSession>
  /** Makes a user whose address counts as confirmed; `user_already_exists` when it is taken. */
  createUser(newcomer: Newcomer): Promise<AuthUser>
  /** The user as stored now, or null. */
  findUser(userId: string): Promise<AuthUser | null>
  /** Ends one sign-in, or all of the user's. */
  endSignIns(userId: string, signInId?: string): Promise<void>
  /** Keeps a user out until then (epoch ms), or lets them in again with null. */
  setBan(userId: string, until: number | null): Promise<void>
  /** Removes a user with all that the database holds of them. */
  deleteUser(userId: string): Promise<void>
}
