import type { Generated, Kysely, Transaction } from 'kysely'
import type { SessionTables } from './session-tables.ts'

/** Flags are 0 or 1, times are epoch milliseconds, JSON is text: what both databases keep alike. */
interface UserRow {
  id: string
  email: string | null
  phone: string | null
  email_confirmed_at: number | null
  /** When a mail showed that the address is theirs; null where it was confirmed while no mail was sent. */
  email_proven_at: number | null
  phone_confirmed_at: number | null
  password_hash: string | null
  app_metadata: string
  user_metadata: string
  banned_until: number | null
  last_sign_in_at: number | null
  confirmation_sent_at: number | null
  recovery_sent_at: number | null
  email_change_sent_at: number | null
  phone_change_sent_at: number | null
  reauthentication_sent_at: number | null
  invited_at: number | null
  /** Set where an operator kept the row of a user who is gone. */
  deleted_at: number | null
  /** An address or a number that waits to be confirmed. */
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
  /** JSON: how and when each factor was shown, newest first. */
  amr: string
  user_agent: string | null
  created_at: number
  refreshed_at: number
  not_after: number
  /** The second factor that was shown. */
  factor_id: string | null
  /** When a recovery mail began it; null for every other sign-in. */
  recovered_at: number | null
  /** When its user last showed their password or a second factor in it. */
  proved_at: number | null
}

/** What a mail or a text message carries to prove an address: a long token in its link and a short code for typing. */
interface OneTimeTokenRow {
  id: string
  user_id: string
  kind: string
  /** The address or number it was sent to. */
  relates_to: string
  link_hash: string
  code_hash: string
  /** What becomes the user's credential when this very token is used. */
  credential_hash: string | null
  /** Where only the browser that asked may go on by the link: what it has to show is hashed to this. */
  challenge: string | null
  challenge_method: string | null
  /** Codes that were tried. */
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
  /** The last step in time whose code was taken; none is taken twice. */
  last_step: number | null
  verified_at: number | null
  last_challenged_at: number | null
  created_at: number
  updated_at: number
}

interface FactorChallengeRow {
  id: string
  factor_id: string
  /** Only where the code was sent; codes of an app follow from its secret. */
  code_hash: string | null
  attempts: number
  expires_at: number
}

interface BackupCodeRow {
  user_id: string
  code_hash: string
  /** The same for all codes of a set, so that trying one costs one slow hash. */
  salt: string
}

interface RefreshTokenRow {
  token_hash: string
  parent_hash: string | null
  /** What its successor was made with; null while the token is the current one. */
  successor_seed: string | null
  sign_in_id: string
  created_at: number
  revoked_at: number | null
}

interface AccountSaltRow {
  /** The address or number the salt was handed out for, in its normal form. */
  identifier: string
  user_id: string
  salt: string
  profile: number
}

/** The salt that a name is answered with since an account gave it up. */
interface ReleasedSaltRow {
  identifier_hash: string
  salt: string
}

/** An address block from which an account's owner has completed a sign-in, as a keyed hash. */
interface KnownOriginRow {
  user_id: string
  origin_hash: string
  seen_at: number
}

interface AccountKeyRow {
  user_id: string
  slot: number
  key_version: number
  profile: number
  wrapped_key: string
  created_at: number
}

interface PreviousAccountKeyRow {
  id: string
  user_id: string
  key_version: number
  profile: number
  wrapped_key: string
  replaced_at: number
}

interface RecoveryKeyRow {
  user_id: string
  key_version: number
  wrapped_key: string
  created_at: number
}

interface DeviceShareRow {
  sign_in_id: string
  user_id: string
  device_id: string
  share: string
  created_at: number
}

interface AccountSettingsRow {
  user_id: string
  expiration_minutes: number
}

/** An account has one for each source it can come from; which of them counts is derived. */
interface LicenceRow {
  user_id: string
  source: string
  type: string
  storage_limit_bytes: number
  expires_at: number | null
  updated_at: number
}

/** A licence for whoever brings the key or the link. */
interface LicenceOfferRow {
  id: string
  kind: string
  secret_hash: string
  type: string
  storage_limit_bytes: number
  /** Counted from the day it is claimed; null never ends. */
  days: number | null
  seats: number | null
  uses: number
  /** The address a link was mailed to, which it thereby proves. */
  mailed_to: string | null
  /** When the key or the link itself ends. */
  ends_at: number | null
  created_at: number
}

interface LicenceClaimRow {
  id: string
  offer_id: string
  /** Null once the account is gone. */
  user_id: string | null
  claimed_at: number
}

interface AdminRow {
  user_id: string
  since: number
}

interface StorageUseRow {
  user_id: string
  used_bytes: number
  reserved_bytes: number
}

interface FileRow {
  id: string
  owner_id: string
  sealed_name: string
  wrapped_key: string
  plain_bytes: number
  sealed_bytes: number
  record_bytes: number
  /** Sealed bytes of every object but the last. */
  object_bytes: number
  object_count: number
  volume: string
  downloads: number
  /** 1 where the account key that sealed it is gone for good. */
  lost: Generated<number>
  /** The session it was sent to; null for a file of its owner alone. */
  session_id: Generated<string | null>
  created_at: number
  expires_at: number
}

interface UploadRow {
  /** Also the id of the file it becomes. */
  id: string
  owner_id: string
  /** The id the client chose. */
  upload_key: string
  sealed_name: string
  /** Null only while a foreign client has not said it yet. */
  wrapped_key: string | null
  /** Null only for a foreign client, whose envelopes tell no sizes. */
  plain_bytes: number | null
  sealed_bytes: number | null
  record_bytes: number | null
  /** Plain bytes of every chunk but the last. */
  chunk_bytes: number
  chunk_count: number | null
  volume: string
  reserved_bytes: number
  expiration_minutes: number
  completed_at: number | null
  /** A cancelled upload is remembered for a while, so that a chunk that comes late cannot open it again. */
  cancelled_at: number | null
  /** The session the file is for; null for a file of its owner alone. */
  session_id: string | null
  created_at: number
  last_byte_at: number
}

/** One stored object: a chunk of an upload, and of the file it became. It goes with the upload's row. */
interface ObjectRow {
  file_id: string
  object_index: number
  sealed_bytes: number
  /** CRC-32 of the sealed bytes, to find rot on the disk; what was tampered with, only the client can tell. */
  checksum: number
}

interface ShareRow {
  id: string
  file_id: string
  token_hash: string
  key_id: string
  wrapped_key: string
  proof_hash: string | null
  downloads: number
  created_at: number
  max_downloads: number | null
  label: string | null
  last_download_at: number | null
  /** Bytes of a limited share that were served to claims which have not become downloads. */
  uncounted_bytes: Generated<number>
}

/** One download of a share, in however many requests. */
interface ShareClaimRow {
  share_id: string
  claim_hash: string
  /** Until then it keeps its place among the allowed downloads. */
  held_until: number
  /** When it became a download. */
  served_at: number | null
  /** Of a limited share. */
  served_bytes: number
}

/** A letter or a text message that waits for delivery. */
interface PostQueueRow {
  id: string
  channel: string
  /** The letter itself; nobody reads it without the key in the secrets folder. */
  sealed: string
  attempts: number
  /** When it may be tried; while somebody tries, when others may. */
  next_at: number
  /** Names who is trying. */
  claim: string | null
  created_at: number
  give_up_at: number
}

interface MessageRow {
  id: string
  owner_id: string
  wrapped_key: string
  sealed_text: string
  /** No two of an owner's messages have the same. */
  created_at: number
  expires_at: number
  /** Of the message in an answer; counts as storage of the owner. */
  bytes: number
}

export interface Tables extends SessionTables {
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
  account_keys: AccountKeyRow
  previous_account_keys: PreviousAccountKeyRow
  recovery_keys: RecoveryKeyRow
  device_shares: DeviceShareRow
  account_settings: AccountSettingsRow
  licences: LicenceRow
  licence_offers: LicenceOfferRow
  licence_claims: LicenceClaimRow
  admins: AdminRow
  storage_use: StorageUseRow
  files: FileRow
  uploads: UploadRow
  objects: ObjectRow
  shares: ShareRow
  share_claims: ShareClaimRow
  post_queue: PostQueueRow
  messages: MessageRow
}

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>
