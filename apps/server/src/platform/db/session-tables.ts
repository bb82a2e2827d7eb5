import type { Generated } from 'kysely'

interface SessionRow {
  id: string
  creator_id: string
  pin_hash: string
  key_mode: string
  link_check: string | null
  expiration_minutes: number
  locked: number
  approval: number
  message_count: number
  /** Sum over the session's messages; counts toward the creator's storage. */
  message_bytes: Generated<number>
  last_message_at: number
  last_admission: number
  /** 1 if anyone but the creator has joined. */
  was_joined: number
  /** 1 if someone who created a session learned that this PIN is in use. */
  pin_exposed: number
  created_at: number
  creator_seen_at: number
  ends_at: number
}

interface RestingPinRow {
  pin_hash: string
  free_at: number
}

interface SessionKeyShareRow {
  session_id: string
  /** Number of removals of participants, from 0. */
  epoch: number
  /** Encrypted with a key in the secrets folder. */
  sealed_share: string
}

interface SessionParticipantRow {
  id: string
  session_id: string
  /** Null for a participant without an account. */
  user_id: string | null
  token_hash: string
  /** The address block it joined from, hashed per session; null for older participants. */
  address_hash: string | null
  /** 1 if its token has been used since it joined. */
  token_used: number
  sealed_name: string | null
  is_creator: number
  joined_at: number
  seen_at: number
}

/** A join request that waits for approval. */
interface SessionJoinRequestRow {
  id: string
  session_id: string
  token_hash: string
  code: string
  /** The widest address block of the client, hashed per session. */
  block_hash: string
  state: string
  created_at: number
}

interface SessionMessageRow {
  id: string
  session_id: string
  participant_id: string | null
  sealed_name: string | null
  wrapped_key: string
  sealed_text: string
  /** Unique among the messages of the session. */
  created_at: number
  /** Size of the message in a response. */
  bytes: number
}

interface SessionAdmissionRow {
  session_id: string
  seq: number
  participant_id: string
  body: string
  created_at: number
}

/** Wrong PINs from one source; the hash does not reveal the source. */
interface PinFailureRow {
  source_hash: string
  /** Failures within the 24 hours that end at `window_ends_at`. */
  failures: number
  window_ends_at: number
  /** When the leaky bucket of failures is empty. */
  drained_at: number
  lock_ends_at: number
  /** Number of lockouts; each one makes the next longer. */
  locks: number
}

interface PinHourRow {
  /** Start of the hour in epoch milliseconds. */
  hour: number
  /** Wrong PINs from anonymous clients. */
  failures: number
  /** Those whose source had failed before. */
  repeats: number
  joins: number
}

/** Tables of sessions and of the rate limits for their PINs. */
export interface SessionTables {
  sessions: SessionRow
  resting_pins: RestingPinRow
  session_key_shares: SessionKeyShareRow
  session_participants: SessionParticipantRow
  session_knocks: SessionJoinRequestRow
  session_messages: SessionMessageRow
  session_admissions: SessionAdmissionRow
  pin_failures: PinFailureRow
  pin_hours: PinHourRow
}
