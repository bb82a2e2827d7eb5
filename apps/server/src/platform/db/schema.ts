import type { Generated, Kysely, Transaction } from 'kysely'
import type { AuditTables } from './audit-tables.ts'
import type { AuthTables } from './auth-tables.ts'
import type { BillingTables } from './billing-tables.ts'
import type { CountTables } from './count-tables.ts'
import type { OrganizationTables } from './organization-tables.ts'
import type { SessionTables } from './session-tables.ts'

/** What happened in an account, and never which files it was about. */
interface ActivityRow {
  id: string
  user_id: string
  at: number
  action: string
  files: number | null
  /** Their plaintext size. */
  bytes: number | null
}

/** An open portal room of a single node, as JSON: its code, the names of its devices, and hashes. */
interface PortalRoomRow {
  code: string
  room: string
}

interface SecretFingerprintRow {
  name: string
  fingerprint: string
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

/** An account has one licence per source; the effective one is derived. */
interface LicenceRow {
  user_id: string
  source: string
  type: string
  storage_limit_bytes: number
  expires_at: number | null
  updated_at: number
}

/** The licence that an account has at present, by which lists are sorted and filtered. Nothing else reads it. */
interface EffectiveLicenceRow {
  user_id: string
  type: string
  /** When it has to be derived again; null if only a new licence changes it. */
  valid_until: number | null
}

/** A licence for the holder of the key or link. */
interface LicenceOfferRow {
  id: string
  kind: string
  secret_hash: string
  type: string
  storage_limit_bytes: number
  /** Counted from the day it is claimed; null never expires. */
  days: number | null
  seats: number | null
  uses: number
  /** The address that a link was emailed to, which using it proves. */
  mailed_to: string | null
  /** What an admin has noted. */
  description: Generated<string | null>
  /** When the key or link itself expires. */
  ends_at: number | null
  created_at: number
}

interface LicenceClaimRow {
  id: string
  offer_id: string
  /** Null after the account is deleted. */
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
  file_count: Generated<number>
  /** All files that were ever uploaded, and how often they were downloaded. */
  files_uploaded: Generated<number>
  own_downloads: Generated<number>
  share_downloads: Generated<number>
}

interface FileRow {
  id: string
  owner_id: string
  sealed_name: string
  wrapped_key: string
  plain_bytes: number
  sealed_bytes: number
  record_bytes: number
  /** Sealed size of every object but the last. */
  object_bytes: number
  object_count: number
  volume: string
  downloads: number
  /** 1 if the account key that sealed it no longer exists. */
  lost: Generated<number>
  /** The session it belongs to; null for a file of its owner alone. */
  session_id: Generated<string | null>
  created_at: number
  expires_at: number
}

interface UploadRow {
  /** Also the id of the resulting file. */
  id: string
  owner_id: string
  /** The id that the client chose. */
  upload_key: string
  sealed_name: string
  /** Null until a third-party client has sent it. */
  wrapped_key: string | null
  /** Null for a third-party client, whose envelopes contain no sizes. */
  plain_bytes: number | null
  sealed_bytes: number | null
  record_bytes: number | null
  /** Plaintext size of every chunk but the last. */
  chunk_bytes: number
  chunk_count: number | null
  volume: string
  reserved_bytes: number
  expiration_minutes: number
  completed_at: number | null
  /** A cancelled upload is remembered for a while, so that a late chunk cannot reopen it. */
  cancelled_at: number | null
  /** The session it is for; null for a file of its owner alone. */
  session_id: string | null
  created_at: number
  last_byte_at: number
}

/** A stored object: a chunk of an upload and of the resulting file. It is deleted with the row of its upload. */
interface ObjectRow {
  file_id: string
  object_index: number
  sealed_bytes: number
  /** CRC-32 of the sealed bytes, to detect bit rot; only the client can detect tampering. */
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
  /** Bytes of a limited share that were served to claims that did not become downloads. */
  uncounted_bytes: Generated<number>
}

/** One download of a share, over any number of requests. */
interface ShareClaimRow {
  share_id: string
  claim_hash: string
  /** Until then it counts as one of the allowed downloads. */
  held_until: number
  /** When it became a download. */
  served_at: number | null
  /** Set only for a limited share. */
  served_bytes: number
}

/** An email or text message that waits for delivery. */
interface PostQueueRow {
  id: string
  channel: string
  /** The message, encrypted with a key in the secrets folder. */
  sealed: string
  attempts: number
  /** The time of the next attempt; during an attempt, the end of its lease. */
  next_at: number
  /** Identifies the holder of the lease. */
  claim: string | null
  created_at: number
  give_up_at: number
}

interface MessageRow {
  id: string
  owner_id: string
  wrapped_key: string
  sealed_text: string
  /** Unique among the messages of the owner. */
  created_at: number
  expires_at: number
  /** Size of the message in a response; counts toward the owner's storage. */
  bytes: number
}

/** The time that a node has last taken to be right. */
interface ClockReadingRow {
  /** Of one start of a machine. */
  boot_id: string
  time: number
  /** How long the machine had been running at that time. */
  uptime_ms: number
  /** How often an admin had confirmed the time. */
  confirmations: number
}

export interface Tables extends AuthTables, SessionTables, BillingTables, OrganizationTables, AuditTables, CountTables {
  account_activity: ActivityRow
  clock_readings: ClockReadingRow
  portal_rooms: PortalRoomRow
  secret_fingerprints: SecretFingerprintRow
  account_keys: AccountKeyRow
  previous_account_keys: PreviousAccountKeyRow
  recovery_keys: RecoveryKeyRow
  device_shares: DeviceShareRow
  account_settings: AccountSettingsRow
  licences: LicenceRow
  effective_licences: EffectiveLicenceRow
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
