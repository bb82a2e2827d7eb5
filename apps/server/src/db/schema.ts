import type { Kysely, Transaction } from 'kysely'

/** Flags are 0 or 1, times are epoch milliseconds, JSON is text: what both databases keep alike. */
interface UserRow {
  id: string
  email: string | null
  phone: string | null
  email_confirmed_at: number | null
  phone_confirmed_at: number | null
  password_hash: string | null
  app_metadata: string
  user_metadata: string
  banned_until: number | null
  last_sign_in_at: number | null
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

interface AccountKeyRow {
  user_id: string
  slot: number
  key_version: number
  profile: number
  wrapped_key: string
  created_at: number
}

interface AccountSettingsRow {
  user_id: string
  expiration_minutes: number
}

interface LicenceRow {
  user_id: string
  type: string
  storage_limit_bytes: number
  expires_at: number | null
  source: string
  updated_at: number
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
}

export interface Tables {
  users: UserRow
  sign_ins: SignInRow
  refresh_tokens: RefreshTokenRow
  account_salts: AccountSaltRow
  account_keys: AccountKeyRow
  account_settings: AccountSettingsRow
  licences: LicenceRow
  storage_use: StorageUseRow
  files: FileRow
  uploads: UploadRow
  objects: ObjectRow
  shares: ShareRow
}

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>
