/** Both databases store flags as 0 or 1, times as epoch milliseconds and JSON as text. */
interface UserRow {
  id: string
  email: string | null
  phone: string | null
  email_confirmed_at: number | null
  /** When an email proved that the address belongs to the user; null if it was confirmed while emails were off. */
  email_proven_at: number | null
  phone_confirmed_at: number | null
  password_hash: string | null
  app_metadata: string
  user_metadata: string
  banned_until: number | null
  last_sign_in_at: number | null
  /** The last day in UTC on which the user signed in or their page asked for a new token. */
  active_day: string | null
  confirmation_sent_at: number | null
  recovery_sent_at: number | null
  email_change_sent_at: number | null
  phone_change_sent_at: number | null
  reauthentication_sent_at: number | null
  invited_at: number | null
  /** Set if an operator kept the row of a deleted user. */
  deleted_at: number | null
  /** Set once the deletion of the user has begun; nobody can sign in from then on. */
  deleting_since: number | null
  /** An email address or phone number that is not confirmed yet. */
  new_email: string | null
  new_phone: string | null
  is_anonymous: number
  created_at: number
  updated_at: number
}

interface SignInRow {
  id: string
  user_id: string
  policy: string
  aal: string
  /** JSON: the authentication methods and their times, newest first. */
  amr: string
  user_agent: string | null
  created_at: number
  refreshed_at: number
  not_after: number
  /** The factor that was used for two-factor authentication. */
  factor_id: string | null
  /** When a recovery email started it; null for every other auth session. */
  recovered_at: number | null
  /** When the user last proved their password or a second factor in it. */
  proved_at: number | null
}

/** A token in an email or text message that proves an address: a long one in the link and a short code to type. */
interface OneTimeTokenRow {
  id: string
  user_id: string
  kind: string
  /** The email address or phone number that it was sent to. */
  relates_to: string
  link_hash: string
  code_hash: string
  /** Becomes the user's credential when this token is used. */
  credential_hash: string | null
  /** PKCE challenge, if only the browser that requested the link may use it. */
  challenge: string | null
  challenge_method: string | null
  /** Number of codes that were tried. */
  attempts: number
  created_at: number
  expires_at: number
}

interface FactorRow {
  id: string
  user_id: string
  type: string
  friendly_name: string | null
  phone: string | null
  sealed_secret: string | null
  /** The time step of the last accepted code; no code is accepted twice. */
  last_step: number | null
  verified_at: number | null
  last_challenged_at: number | null
  created_at: number
  updated_at: number
}

interface FactorChallengeRow {
  id: string
  factor_id: string
  /** Only for codes that were sent; codes of an authenticator app are derived from its secret. */
  code_hash: string | null
  attempts: number
  expires_at: number
}

interface BackupCodeRow {
  user_id: string
  code_hash: string
  /** Shared by all codes of a set, so that checking one code costs one slow hash. */
  salt: string
}

interface RefreshTokenRow {
  token_hash: string
  parent_hash: string | null
  /** The seed of its successor; null while the token is current. */
  successor_seed: string | null
  sign_in_id: string
  created_at: number
  revoked_at: number | null
}

interface AccountSaltRow {
  /** The normalized email address or phone number that the salt was issued for. */
  identifier: string
  user_id: string
  salt: string
  profile: number
}

/** The salt returned for an identifier after its account gave it up. */
interface ReleasedSaltRow {
  identifier_hash: string
  salt: string
}

/** An address block from which the account's owner has signed in, as a keyed hash. */
interface KnownOriginRow {
  user_id: string
  origin_hash: string
  seen_at: number
}

interface PastSignInRow {
  id: string
  user_id: string
  signed_in_at: number
  user_agent: string | null
}

/** The deletion of a user, until it is complete. */
interface UserDeletionRow {
  user_id: string
  /** The step that is next or in progress. */
  step: string
  /** Identifies the run that works on it; null while none does. */
  claim: string | null
  /** When the next attempt may start or, during a run, when its lease ends. */
  due_at: number
  /** How often the step has failed. */
  attempts: number
  /** The code of the last error of the step. */
  error: string | null
}

export interface AuthTables {
  users: UserRow
  sign_ins: SignInRow
  refresh_tokens: RefreshTokenRow
  one_time_tokens: OneTimeTokenRow
  factors: FactorRow
  factor_challenges: FactorChallengeRow
  backup_codes: BackupCodeRow
  account_salts: AccountSaltRow
  released_salts: ReleasedSaltRow
  known_origins: KnownOriginRow
  sign_in_history: PastSignInRow
  user_deletions: UserDeletionRow
}
