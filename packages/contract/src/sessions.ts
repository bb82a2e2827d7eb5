import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { ByteCount, DecimalText, EpochMs, Id, SealedName, Succeeded, UploadId, WrappedFileKey } from './fields.ts'
import { OpenUpload, uploadErrors } from './files.ts'

/** How the key of a session is made; `docs/formats.md` says what each mode keeps from whom. */
export const KeyMode = z.enum(['pin', 'pin2', 'secret'])
export type KeyMode = z.output<typeof KeyMode>

/** As it arrives. That it has six digits is looked at by the server, which says so in the words for people. */
const Pin = z.string().check(z.maxLength(64))

/** What a name of a participant looks like once it is sealed: a wrapped key and a padded text, each in base64url. */
export const sealedParticipantName = /^[A-Za-z0-9_-]{155}\.[A-Za-z0-9_-]{123,1023}$/
export const longestParticipantName = 1200
const ParticipantName = z.string().check(z.minLength(1), z.maxLength(longestParticipantName))

/** What participants are called who have not said a name. */
export const anonymousParticipant = 'Anonymous'

/** 32 bytes in base64url. */
const Bytes32 = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
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
  /** In a private session: tells whether a link is the whole one. */
  link_check: z.nullable(z.string()),
  created_at: EpochMs,
  /** The latest end; it ends earlier when its creator leaves or falls silent. */
  expires_at: EpochMs,
  /** Which of the participants the caller is; null for who has shown the PIN alone. */
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
  /** Null for who has shown the PIN alone. */
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
const Shown = { 'x-participant-token': z.optional(ParticipantToken), 'x-session-pin': z.optional(Pin) }
const ShownHeaders = z.object(Shown)
const ShownQuery = z.object({ session_pin: z.optional(Pin) })
const ShownBody = z.object({ session_pin: z.optional(Pin) })
const SessionParams = z.object({ id: Id })
const FileParams = z.object({ fileId: Id })
const UploadParams = z.object({ id: Id, uploadId: UploadId })

const entryErrors = ['SESSION_NOT_FOUND', 'PIN_REQUIRED', 'PIN_INVALID', 'PIN_LOCKED'] as const
const Answered = z.object({ success: Succeeded, session: Session })
const Entered = z.extend(Answered, { participant_token: z.string() })

export const sessions = {
  create: endpoint({
    method: 'POST',
    path: '/api/sessions',
    summary: 'Open a session under a PIN of my own choice',
    access: 'account',
    body: z.object({
      session_pin: z.optional(Pin),
      default_file_expiration_minutes: z.optional(z.int()),
      /** Without it the key is made from the PIN alone, which is all a client of the bare specification knows. */
      key_mode: z.optional(KeyMode),
      /** Goes with the key mode `secret`. */
      link_check: z.optional(Bytes32),
    }),
    reply: Entered,
    errors: ['PIN_REQUIRED', 'PIN_INVALID', 'PIN_TAKEN', 'PIN_LOCKED', 'TOO_MANY_SESSIONS', 'EXPIRATION_NOT_OFFERED'],
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/sessions/join',
    summary: 'Join the session of a PIN',
    access: 'anyone',
    bearer: 'optional',
    body: z.object({
      session_pin: z.optional(Pin),
      /** Once somebody was asked to let the caller in: what the refusal carried. */
      knock: z.optional(Bytes32),
      /** Shows the link of a private session. */
      link_check: z.optional(Bytes32),
      work: z.optional(Work),
    }),
    reply: Entered,
    errors: [...entryErrors, 'WORK_REQUIRED', 'APPROVAL_REQUIRED', 'APPROVAL_DENIED'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'A session that is open',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    query: ShownQuery,
    headers: ShownHeaders,
    reply: Answered,
    errors: entryErrors,
  }),
  heartbeat: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/heartbeat',
    summary: 'Say that I am still here; a session ends 15 minutes after its creator has last said so',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.optional(ShownBody),
    reply: z.object({ success: Succeeded }),
    errors: entryErrors,
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/leave',
    summary: 'Leave a session; when its creator leaves it ends for everybody',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.optional(ShownBody),
    reply: z.object({ success: Succeeded, closed: z.boolean() }),
    errors: entryErrors,
  }),
  settings: endpoint({
    method: 'PUT',
    path: '/api/sessions/:id/settings',
    summary: 'Change a session of mine',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.partial(SessionSettings),
    reply: Answered,
    errors: [...entryErrors, 'FORBIDDEN', 'EXPIRATION_NOT_OFFERED'],
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/sessions/:id/participant',
    summary: 'Say what I am called, sealed for the others',
    access: 'anyone',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.object({ participant_name: z.nullable(ParticipantName) }),
    reply: z.object({ success: Succeeded }),
    errors: [...entryErrors, 'SEALED_MESSAGE_REQUIRED'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id/participants/:participantId',
    summary: 'Remove somebody from a session of mine; who comes next has to be let in',
    access: 'anyone',
    bearer: 'optional',
    params: z.object({ id: Id, participantId: Id }),
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded }),
    errors: [...entryErrors, 'FORBIDDEN'],
  }),
  answerKnock: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/knocks/:knockId',
    summary: 'Let somebody into a session of mine, or not',
    access: 'anyone',
    bearer: 'optional',
    params: z.object({ id: Id, knockId: Id }),
    headers: ShownHeaders,
    body: z.object({ admit: z.boolean() }),
    reply: z.object({ success: Succeeded }),
    errors: [...entryErrors, 'FORBIDDEN'],
  }),
  messages: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/messages',
    summary: 'The messages of a session, oldest first; after a time, only those made later',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    query: z.extend(ShownQuery, { after: z.optional(DecimalText) }),
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded, messages: z.array(SessionMessage) }),
    errors: entryErrors,
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/messages',
    summary: 'Send a message to a session; sending the very same one twice keeps it once',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.extend(ShownBody, {
      message_text: z.string().check(z.minLength(1)),
      encrypted_key: z.string().check(z.minLength(1)),
      /** The sender's name, sealed for this very message. */
      participant_name: z.optional(ParticipantName),
    }),
    reply: z.object({ success: Succeeded, message: SessionMessage }),
    errors: [
      ...entryErrors,
      'SEALED_MESSAGE_REQUIRED',
      'ENVELOPE_KIND',
      'MESSAGE_TOO_LONG',
      'TOO_MANY_MESSAGES',
      'RATE_LIMITED',
      'CONFLICT',
    ],
  }),
  files: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/files',
    summary: 'The files of a session that have not expired, newest first',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    query: ShownQuery,
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded, files: z.array(SessionFile) }),
    errors: entryErrors,
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/sessions/files/:fileId',
    summary: 'One file of a session and the session it is in: what a copied link leads to',
    access: 'anyone',
    bearer: 'optional',
    params: FileParams,
    query: ShownQuery,
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded, file: SessionFile, session: Session }),
    errors: [...entryErrors, 'FILE_NOT_FOUND'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/sessions/files/:fileId/download',
    summary: 'The sealed bytes of a file of a session, whole or a single range',
    access: 'anyone',
    bearer: 'optional',
    params: FileParams,
    query: z.extend(ShownQuery, {
      sw_decrypt: z.optional(z.string()),
      auth: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.extend(ShownHeaders, { range: z.optional(z.string()) }),
    reply: bytes,
    errors: [...entryErrors, 'FILE_NOT_FOUND', 'KEY_IN_REQUEST', 'RANGE_NOT_SATISFIABLE'],
  }),
  removeFile: endpoint({
    method: 'DELETE',
    path: '/api/sessions/files/:fileId',
    summary: 'Delete a file of a session',
    access: 'anyone',
    bearer: 'optional',
    params: FileParams,
    query: ShownQuery,
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded }),
    errors: [...entryErrors, 'FILE_NOT_FOUND'],
  }),
  uploadChunk: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/upload-chunk',
    summary: 'Upload one chunk of a file for a session; the first one opens the upload',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: z.object({
      ...Shown,
      'x-upload-id': UploadId,
      'x-chunk-index': DecimalText,
      'x-file-name': SealedName,
      'x-encrypted-file-key': z.optional(WrappedFileKey),
      /** Plain bytes of every chunk but the last. */
      'x-chunk-size': z.optional(DecimalText),
      'x-file-expiration-minutes': z.optional(DecimalText),
      'content-length': z.optional(DecimalText),
    }),
    body: bytes,
    reply: z.object({ success: Succeeded, chunkIndex: z.int(), message: z.string() }),
    errors: [
      ...entryErrors,
      ...uploadErrors,
      'UPLOAD_MISMATCH',
      'UPLOAD_NOT_FOUND',
      'UPLOAD_FINISHED',
      'CHUNK_INDEX_INVALID',
      'CHUNK_LENGTH_WRONG',
      'CHUNK_TOO_LONG',
    ],
  }),
  completeUpload: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/complete-upload',
    summary: 'Turn the chunks of an upload into a file of the session; asking twice answers the same file',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.extend(ShownBody, {
      sessionPin: z.optional(Pin),
      uploadId: UploadId,
      fileName: SealedName,
      encryptedFileKey: WrappedFileKey,
      totalChunks: z.int(),
      chunkSize: z.int(),
      fileExpirationMinutes: z.optional(z.int()),
    }),
    reply: z.object({ success: Succeeded, fileId: Id, message: z.string() }),
    errors: [...entryErrors, ...uploadErrors, 'UPLOAD_NOT_FOUND', 'UPLOAD_MISMATCH', 'UPLOAD_INCOMPLETE'],
  }),
  openUpload: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/uploads/:uploadId',
    summary: 'Which chunks of an upload for a session have arrived',
    access: 'anyone',
    bearer: 'optional',
    params: UploadParams,
    headers: ShownHeaders,
    reply: z.extend(OpenUpload, { success: Succeeded }),
    errors: [...entryErrors, 'UPLOAD_NOT_FOUND'],
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id/uploads/:uploadId',
    summary: 'Cancel an upload for a session and give its room back',
    access: 'anyone',
    bearer: 'optional',
    params: UploadParams,
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded }),
    errors: [...entryErrors, 'UPLOAD_NOT_FOUND', 'UPLOAD_FINISHED'],
  }),
  ticket: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/tickets',
    summary: 'A ticket that opens one socket within 30 seconds, which tells of changes in the session',
    access: 'anyone',
    bearer: 'optional',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.optional(ShownBody),
    reply: z.object({ success: Succeeded, ticket: z.string() }),
    errors: entryErrors,
  }),
  admit: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/admit',
    summary: 'Hand a piece of an admission to the other participants',
    access: 'anyone',
    params: SessionParams,
    headers: ShownHeaders,
    body: z.object({ body: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,2000}$/)) }),
    reply: z.object({ success: Succeeded, seq: z.int() }),
    errors: [...entryErrors, 'RATE_LIMITED'],
  }),
  admissions: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/admit',
    summary: 'The pieces of admissions that came after one',
    access: 'anyone',
    params: SessionParams,
    query: z.object({ since: z.optional(DecimalText) }),
    headers: ShownHeaders,
    reply: z.object({ success: Succeeded, admissions: z.array(Admission) }),
    errors: entryErrors,
  }),
}
