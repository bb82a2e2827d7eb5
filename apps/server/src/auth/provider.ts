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

/** The current password of an account, shown in one of its sign-ins. */
export interface Reauthentication {
  readonly userId: string
  readonly signInId: string
  readonly credential: string
  readonly origin: Origin
}

export interface Newcomer extends Named {
  /** Without one the user cannot sign in before they have set it by a recovery link. */
  readonly credential?: string | undefined
  /** True when the address is known to be theirs. */
  readonly confirmed: boolean
  /** The licence offer that is taken up by the very step that makes the user. */
  readonly offerId?: string | undefined
  /** The block of addresses of the request, for limits only. */
  readonly address?: string | undefined
}

/** What is left out stays as it is; metadata is merged, and null takes a key away. */
export interface UserChange extends Named {
  readonly credential?: string | undefined
  readonly confirmed?: boolean | undefined
  readonly userMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly appMetadata?: Readonly<Record<string, unknown>> | undefined
}

/** A user who has still to show that an address is theirs, and the token of the link that shows it. */
interface SignUpLink {
  readonly user: AuthUser
  readonly tokenHash: string
}

/** One place where a user is signed in. Times are epoch milliseconds. */
export interface SignInSummary {
  readonly id: string
  /** As the browser named itself; may be empty. */
  readonly userAgent: string
  readonly policy: SignInPolicy
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly endsAt: number
}

/**
 * Whoever keeps users and sign-ins: the one that comes with the server, or a hosted one of the same protocol.
 * Every call may be refused with an `AuthRefusal`.
 */
export interface AuthProvider {
  readonly findAccount: FindAccount
  /** Signs in; only failures count against the limits. */
  passwordGrant(attempt: PasswordAttempt): Promise<AuthSession>
  /** Notes that the user of a sign-in has just shown their password; `current_password_invalid` for another one. */
  reauthenticate(shown: Reauthentication): Promise<void>
  /** Whether the user of a sign-in showed a password or a second factor in it within the last minutes. */
  hasFreshProof(signInId: string): Promise<boolean>
  /** Makes a user; `user_already_exists` when the address is taken. One that nobody has confirmed yet is taken over. */
  createUser(newcomer: Newcomer): Promise<AuthUser>
  /**
   * Makes a user who cannot sign in before the link has been opened. Asked again for an address that nobody has
   * confirmed, it gives another link: the credential that came with the link that is opened is the one that counts.
   * `user_already_exists` when the address is confirmed.
   */
  signUpLink(newcomer: {
    readonly email: string
    readonly credential: string
    readonly offerId?: string | undefined
    readonly address?: string | undefined
  }): Promise<SignUpLink>
  /** The token of a link by which the holder of this address sets a new credential; null when nobody has the address. */
  recoveryLink(email: string): Promise<string | null>
  /** Changes a user; a new credential ends all their sign-ins. `user_not_found` when there is none. */
  updateUser(userId: string, change: UserChange): Promise<AuthUser>
  /** The user as stored now, or null. */
  findUser(userId: string): Promise<AuthUser | null>
  /** The user who holds this address or number, or null. */
  findBy(named: Named): Promise<AuthUser | null>
  /** Where the user is signed in, latest use first. */
  listSignIns(userId: string): Promise<SignInSummary[]>
  /** Ends one sign-in, or all of the user's. */
  endSignIns(userId: string, signInId?: string): Promise<void>
  /** Ends all of the user's sign-ins but this one; answers how many. */
  endOtherSignIns(userId: string, signInId: string): Promise<number>
  /** Keeps a user out until then (epoch ms), or lets them in again with null. */
  setBan(userId: string, until: number | null): Promise<void>
  /** Removes a user with all that the database holds of them. */
  deleteUser(userId: string): Promise<void>
}
