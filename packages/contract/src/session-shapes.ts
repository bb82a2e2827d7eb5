import * as z from 'zod/mini'
import { ByteCount, EpochMs, Id } from './fields.ts'

/** How the key of a session is made; `docs/formats.md` says what each mode keeps from whom. */
export const KeyMode = z.enum(['pin', 'pin2', 'secret'])
export type KeyMode = z.output<typeof KeyMode>

/** As it arrives. That it has six digits is looked at by the server, which says so in the words for people. */
export const Pin = z.string().check(z.maxLength(64))

/** What a name of a participant looks like once it is sealed: a wrapped key and a padded text, each in base64url. */
export const sealedParticipantName = /^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123,1023}$/
export const longestParticipantName = 1200
export const ParticipantName = z.string().check(z.minLength(1), z.maxLength(longestParticipantName))

/** What participants are called who have not said a name. */
export const anonymousParticipant = 'Anonymous'

/** 32 bytes in base64url. */
export const Bytes32 = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
/** Given on joining; stands for the PIN from then on, until its holder leaves or is removed. */
const ParticipantToken = Bytes32

/** Shows that a computation was made for this very try, where a server is being guessed at. */
export const Work = z.object({
  challenge: z.string().check(z.minLength(1), z.maxLength(200)),
  nonce: z.string().check(z.regex(/^[0-9]{1,16}$/)),
})
export type Work = z.output<typeof Work>

export const Participant = z.object({
  id: Id,
  /** Sealed by whoever chose it, or `Anonymous`. */
  participant_name: z.string(),
  is_creator: z.boolean(),
  /** Heard of lately. */
  present: z.boolean(),
  joined_at: EpochMs,
})
export type Participant = z.output<typeof Participant>

/** Somebody who has the PIN and waits to be let in. */
export const Knock = z.object({
  id: Id,
  /** Four digits that the newcomer sees too. */
  code: z.string(),
  created_at: EpochMs,
})
export type Knock = z.output<typeof Knock>

export const SessionSettings = z.object({
  default_file_expiration_minutes: z.int(),
  /** Nobody new comes in, and the PIN alone opens nothing. */
  locked: z.boolean(),
  /** Whoever is new waits until the creator lets them in, and the PIN alone opens nothing. */
  approval: z.boolean(),
})
export type SessionSettings = z.output<typeof SessionSettings>

export const Session = z.extend(SessionSettings, {
  id: Id,
  is_creator: z.boolean(),
  key_mode: KeyMode,
  /** 32 bytes in base64url that go into the key; null where the PIN is all of it. */
  key_share: z.nullable(z.string()),
  /** The shares that removals of participants have replaced, oldest first: they open what was sealed under them. */
  earlier_key_shares: z.array(z.string()),
  /** In a private session: tells whether a link is the whole one. */
  link_check: z.nullable(z.string()),
  created_at: EpochMs,
  /** The latest end; it ends earlier when its creator leaves or falls silent. */
  expires_at: EpochMs,
  /** Which of the participants the caller is. */
  participant_id: z.nullable(Id),
  participants: z.array(Participant),
  /** For the creator only; empty for everybody else. */
  knocks: z.array(Knock),
})
export type Session = z.output<typeof Session>

export const SessionMessage = z.object({
  id: Id,
  content: z.string(),
  encrypted_key: z.string(),
  participant_name: z.string(),
  /** Null where the sender is not known. */
  participant_id: z.nullable(Id),
  /** Each message of a session has a time of its own, later than those of all before it. */
  created_at: EpochMs,
  expires_at: EpochMs,
})
export type SessionMessage = z.output<typeof SessionMessage>

export const SessionFile = z.object({
  id: Id,
  /** The sealed name, twice for clients that read either. */
  filename: z.string(),
  original_name: z.string(),
  size_bytes: ByteCount,
  /** Null for a file that ends with its session only. */
  expires_at: z.nullable(EpochMs),
  created_at: EpochMs,
  session_id: Id,
  encrypted_file_key: z.string(),
})
export type SessionFile = z.output<typeof SessionFile>

/** A piece of an admission between two participants, which the server hands on unread. */
export const Admission = z.object({
  seq: z.int(),
  participant_id: Id,
  body: z.string(),
  created_at: EpochMs,
})
export type Admission = z.output<typeof Admission>

/** Calls that show a participant's token or the PIN take them in any of these places. */
export const Shown = { 'x-participant-token': z.optional(ParticipantToken), 'x-session-pin': z.optional(Pin) }
export const ShownHeaders = z.object(Shown)
export const ShownQuery = z.object({ session_pin: z.optional(Pin) })
export const ShownBody = z.object({ session_pin: z.optional(Pin) })
export const SessionParams = z.object({ id: Id })

export const entryErrors = ['SESSION_NOT_FOUND', 'PIN_REQUIRED', 'PIN_INVALID', 'PIN_LOCKED'] as const
