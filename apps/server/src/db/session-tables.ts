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
  /** The sum over the session's messages; counts as storage of the creator. */
  message_bytes: Generated<number>
  last_message_at: number
  last_admission: number
  /** Whether anyone but its creator has joined. */
  was_joined: number
  /** Whether someone who opened a session was told that this PIN is taken. */
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
  /** Counts the removals of participants, from 0. */
  epoch: number
  /** Nobody reads it without the key in the secrets folder. */
  sealed_share: string
}

interface SessionParticipantRow {
  id: string
  session_id: string
  /** Null for who has no account or has not said so. */
  user_id: string | null
  token_hash: string
  /** The address block it joined from, hashed for this session alone; null for participants from before. */
  address_hash: string | null
  /** Whether its token was shown since it joined. */
  token_used: number
  sealed_name: string | null
  is_creator: number
  joined_at: number
  seen_at: number
}

/** Somebody who waits to be let in. */
interface SessionKnockRow {
  id: string
  session_id: string
  token_hash: string
  code: string
  /** The widest address block of the caller, hashed for this session alone. */
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
  /** No two of a session's messages have the same. */
  created_at: number
  /** Of the message in an answer. */
  bytes: number
}

interface SessionAdmissionRow {
  session_id: string
  seq: number
  participant_id: string
  body: string
  created_at: number
}

/** Wrong PINs from one source; what the source is cannot be read from its hash. */
interface PinFailureRow {
  source_hash: string
  /** Those that were answered as wrong within the 24 hours that end at `window_ends_at`. */
  failures: number
  window_ends_at: number
  /** When the leaking count of all of them is back at zero. */
  drained_at: number
  lock_ends_at: number
  /** How often it was locked out, which makes the next time longer. */
  locks: number
}

interface PinHourRow {
  /** Epoch milliseconds of its beginning. */
  hour: number
  /** Wrong PINs of strangers that were answered as wrong. */
  failures: number
  /** Those among them whose source had failed before. */
  repeats: number
  joins: number
}

/** What sessions keep, and what keeps their PINs from being guessed. */
export interface SessionTables {
  sessions: SessionRow
  resting_pins: RestingPinRow
  session_key_shares: SessionKeyShareRow
  session_participants: SessionParticipantRow
  session_knocks: SessionKnockRow
  session_messages: SessionMessageRow
  session_admissions: SessionAdmissionRow
  pin_failures: PinFailureRow
  pin_hours: PinHourRow
}
