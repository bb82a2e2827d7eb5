import * as z from 'zod/mini'
import { ByteCount, EpochMs, Id } from './fields.ts'

/** How the key of a session is derived; `docs/formats.md` describes what each mode hides from whom. */
export const KeyMode = z.enum(['pin', 'pin2', 'secret'])
export type KeyMode = z.output<typeof KeyMode>

/** A PIN as it arrives. The server checks that it has six digits and answers with the message of the specification. */
export const Pin = z.string().check(z.maxLength(64))

/** The form of a sealed participant name: a wrapped key and a padded text, each in base64url. */
export const sealedParticipantName = /^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123,1023}$/
export const maxParticipantNameCharacters = 1200
export const ParticipantName = z.string().check(z.minLength(1), z.maxLength(maxParticipantNameCharacters))

/** The name of participants who have not set one. */
export const anonymousParticipant = 'Anonymous'

/** 32 bytes in base64url. */
export const Bytes32 = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
/** Returned on joining; replaces the PIN from then on, until the participant leaves or is removed. */
const ParticipantToken = Bytes32

/** A proof of work for this attempt, required while a server is being guessed at. */
export const ProofOfWork = z.object({
  challenge: z.string().check(z.minLength(1), z.maxLength(200)),
  nonce: z.string().check(z.regex(/^[0-9]{1,16}$/)),
})
export type ProofOfWork = z.output<typeof ProofOfWork>

export const Participant = z.object({
  id: Id,
  /** Sealed by the participant who chose it, or `Anonymous`. */
  participant_name: z.string(),
  is_creator: z.boolean(),
  /** Recently active. */
  present: z.boolean(),
  joined_at: EpochMs,
})
export type Participant = z.output<typeof Participant>

/** A user with the PIN who waits for approval. */
export const JoinRequest = z.object({
  id: Id,
  /** Four digits that the newcomer sees too. */
  code: z.string(),
  created_at: EpochMs,
})
export type JoinRequest = z.output<typeof JoinRequest>

export const SessionSettings = z.object({
  default_file_expiration_minutes: z.int(),
  /** No one new can join, and the PIN alone opens nothing. */
  locked: z.boolean(),
  /** New participants wait until the creator approves them, and the PIN alone opens nothing. */
  approval: z.boolean(),
})
export type SessionSettings = z.output<typeof SessionSettings>

export const Session = z.extend(SessionSettings, {
  id: Id,
  is_creator: z.boolean(),
  key_mode: KeyMode,
  /** 32 bytes in base64url that go into the key; null if the key is derived from the PIN alone. */
  key_share: z.nullable(z.string()),
  /** The shares that removals of participants have replaced, oldest first: they open what was sealed with them. */
  earlier_key_shares: z.array(z.string()),
  /** In a private session: verifies that a link is complete. */
  link_check: z.nullable(z.string()),
  created_at: EpochMs,
  /** The latest end; the session ends earlier when its creator leaves or becomes inactive. */
  expires_at: EpochMs,
  /** The caller's own participant. */
  participant_id: z.nullable(Id),
  participants: z.array(Participant),
  /** The join requests; only for the creator, otherwise empty. */
  knocks: z.array(JoinRequest),
})
export type Session = z.output<typeof Session>

export const SessionMessage = z.object({
  id: Id,
  content: z.string(),
  encrypted_key: z.string(),
  participant_name: z.string(),
  /** Null if the sender is unknown. */
  participant_id: z.nullable(Id),
  /** Unique per session and later than that of all earlier messages. */
  created_at: EpochMs,
  expires_at: EpochMs,
})
export type SessionMessage = z.output<typeof SessionMessage>

export const SessionFile = z.object({
  id: Id,
  /** The sealed name, in two fields for clients that read either. */
  filename: z.string(),
  original_name: z.string(),
  size_bytes: ByteCount,
  /** Null for a file that expires with its session. */
  expires_at: z.nullable(EpochMs),
  created_at: EpochMs,
  session_id: Id,
  encrypted_file_key: z.string(),
})
export type SessionFile = z.output<typeof SessionFile>

/** An admission message between two participants, which the server relays without interpreting it. */
export const Admission = z.object({
  seq: z.int(),
  participant_id: Id,
  body: z.string(),
  created_at: EpochMs,
})
export type Admission = z.output<typeof Admission>

/** Calls accept a participant token or the PIN in any of these fields. */
export const sessionCredentialHeaders = {
  'x-participant-token': z.optional(ParticipantToken),
  'x-session-pin': z.optional(Pin),
}
export const SessionCredentialHeaders = z.object(sessionCredentialHeaders)
export const SessionCredentialQuery = z.object({ session_pin: z.optional(Pin) })
export const SessionCredentialBody = z.object({ session_pin: z.optional(Pin) })
export const SessionParams = z.object({ id: Id })

/** What the calls of participants have in common. */
export const participantCall = {
  access: 'anyone',
  bearer: 'optional',
  headers: SessionCredentialHeaders,
} as const
export const sessionCall = { ...participantCall, params: SessionParams } as const

export const sessionAccessErrors = ['SESSION_NOT_FOUND', 'PIN_REQUIRED', 'PIN_INVALID', 'PIN_LOCKED'] as const
