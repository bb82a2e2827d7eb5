import { clientErrors, type ErrorCode } from './error-codes.ts'

/** Every error of the server: its HTTP status and the message for the user. */
export const errorCatalogue = {
  ...clientErrors,
  BAD_REQUEST: { status: 400, text: 'The request could not be understood' },
  BAD_JSON: { status: 400, text: 'The request body is not valid JSON' },
  FORBIDDEN: { status: 403, text: "You don't have permission to do this" },
  NOT_FOUND: { status: 404, text: 'Not found' },
  CONFLICT: { status: 409, text: 'Something changed in the meantime. Please try again.' },
  REQUEST_TIMEOUT: { status: 408, text: 'The request took too long to arrive. Please try again.' },
  BODY_TOO_LARGE: { status: 413, text: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'This kind of request body is not accepted here' },
  PROXY_NOT_TRUSTED: {
    status: 421,
    text: 'This server is not set up for its proxy. Ask its operator to set TRUSTED_PROXIES.',
  },
  RATE_LIMITED: { status: 429, text: 'Too many requests. Please wait a moment and try again.' },
  HEADERS_TOO_LARGE: { status: 431, text: 'The request headers are too large' },
  INTERNAL: { status: 500, text: 'Something went wrong on the server. Please try again.' },
  UNAVAILABLE: { status: 503, text: 'The server is busy. Please try again in a moment.' },
  NO_SPACE: { status: 507, text: 'The server is out of space. Please try again later.' },
  STORAGE_UNAVAILABLE: { status: 503, text: 'The server cannot store files right now. Please try again later.' },

  EMAIL_OR_PHONE_REQUIRED: {
    status: 400,
    text: 'You must provide either an email or phone number and a password',
  },
  EMAIL_INVALID: { status: 400, text: 'Please enter a valid email address' },
  DERIVED_SECRET_REQUIRED: {
    status: 400,
    text: 'Passwords must not be sent to the server. Send the derived login secret instead.',
  },
  INVALID_CREDENTIALS: { status: 401, text: 'Invalid email or password' },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    text: 'Please verify your email address before logging in. Check your email for the verification link.',
  },
  USER_NOT_FOUND: {
    status: 404,
    text: 'Account not found. Please check your email or create a new account.',
  },
  MFA_REQUIRED: { status: 403, text: 'Enter your two-factor code first' },
  BACKUP_CODE_INVALID: { status: 400, text: 'This backup code is invalid or has already been used' },
  PASSWORD_INVALID: { status: 403, text: 'This is not your current password' },
  PASSWORD_PROOF_REQUIRED: { status: 403, text: 'Confirm your current password first' },
  UPGRADE_REQUIRED: { status: 402, text: 'Your licence has ended. Choose a plan to continue.' },
  TRIAL_EXPIRED: { status: 403, text: 'Your trial has expired. Please upgrade to continue.' },
  LICENSE_EXPIRED: { status: 403, text: 'Your licence has expired. Please renew it to continue.' },
  LICENSE_CHECK_FAILED: {
    status: 503,
    text: 'Unable to verify your account status. Please try again in a moment.',
  },
  LICENSE_KEY_USED: { status: 409, text: 'This licence key has been used up' },
  INVITATION_INVALID: { status: 404, text: 'Invalid or expired invitation link' },
  SIGN_IN_NOT_FOUND: { status: 404, text: 'This device is already signed out' },
  DEVICE_NOT_REMEMBERED: { status: 404, text: 'This device is not remembered' },
  KEYS_NOT_STAGED: { status: 409, text: 'No new key is waiting to be activated' },
  RECOVERY_REQUIRED: { status: 403, text: 'Use the link in a password reset email to start again with a new key' },
  MAIL_UNAVAILABLE: { status: 503, text: "Email can't be sent right now. Please try again in a moment." },
  REGISTRATION_FAILED: { status: 400, text: 'Registration failed' },
  REGISTRATION_CLOSED: {
    status: 403,
    text: 'This server does not accept this sign-up. Ask its administrator for access.',
  },
  EMAIL_DOMAIN_NOT_ALLOWED: { status: 403, text: 'Email addresses of this domain are not accepted here' },
  LICENSE_KEY_INVALID: { status: 400, text: 'This licence key is not valid' },
  LICENSE_PARSE_FAILED: {
    status: 500,
    text: 'Unable to verify your account status. Please try again in a moment.',
  },
  KEYS_EXIST: { status: 412, text: 'This account already has its keys' },
  PRECONDITION_REQUIRED: { status: 428, text: 'Send If-None-Match: * to confirm that no keys are replaced' },
  EXPIRATION_NOT_OFFERED: { status: 400, text: 'This expiration time is not offered' },

  SEALED_NAME_REQUIRED: { status: 400, text: 'File names must be encrypted before they are sent.' },
  ENVELOPE_INVALID: { status: 400, text: 'The wrapped file key is not in the expected form' },
  ENVELOPE_KIND: { status: 400, text: 'This wrapped key is for a different purpose' },
  UPLOAD_ID_INVALID: { status: 400, text: 'The upload id is not in the expected form' },
  CHUNK_INDEX_INVALID: { status: 400, text: 'The chunk number is not part of this upload' },
  CHUNK_LENGTH_WRONG: { status: 400, text: 'The chunk does not have the length this upload announced' },
  CHUNK_TOO_LONG: { status: 413, text: 'The chunk is longer than this upload announced' },
  UPLOAD_MISMATCH: { status: 409, text: 'This upload was started for another file' },
  UPLOAD_NOT_FOUND: { status: 404, text: 'Upload not found' },
  UPLOAD_FINISHED: { status: 409, text: 'This upload is already complete' },
  UPLOAD_INCOMPLETE: { status: 400, text: 'Upload integrity check failed: Missing chunks []' },
  TOO_MANY_UPLOADS: { status: 429, text: 'Too many uploads are open. Finish or cancel one first.' },
  TOO_MANY_FILES: { status: 413, text: 'There are too many files. Delete some first.' },
  STORAGE_LIMIT: { status: 413, text: 'Storage limit reached' },
  FILE_NOT_FOUND: { status: 404, text: 'File not found' },
  KEY_IN_REQUEST: { status: 400, text: 'Keys must not be sent to the server. Use share-zk.' },
  RANGE_NOT_SATISFIABLE: { status: 416, text: 'The requested range is outside the file' },
  NOT_SHARED: { status: 404, text: 'This file is not shared' },
  TOO_MANY_SHARES: { status: 409, text: 'This file has too many links. Stop sharing it, then create a new link.' },
  SHARE_NOT_FOUND: { status: 404, text: 'File not found or expired' },
  SEALED_MESSAGE_REQUIRED: { status: 400, text: 'Messages must be encrypted before they are sent.' },
  MESSAGE_TOO_LONG: { status: 413, text: 'The message is too long. Send it in parts, or as a file.' },
  TOO_MANY_MESSAGES: { status: 413, text: 'There are too many messages. Delete some first.' },
  MESSAGE_NOT_FOUND: { status: 404, text: 'Message not found' },
  PIN_REQUIRED: { status: 400, text: '6-digit PIN is required' },
  PIN_INVALID: { status: 400, text: 'PIN must be exactly 6 digits' },
  PIN_TAKEN: { status: 409, text: "This PIN can't be used right now. Please try another one." },
  PIN_LOCKED: { status: 429, text: 'Too many wrong PINs. Please wait before you try again.' },
  WORK_REQUIRED: { status: 428, text: 'Many PINs are being guessed right now. Please try again.' },
  SESSION_NOT_FOUND: { status: 404, text: 'Session not found' },
  TOO_MANY_REMOVALS: {
    status: 409,
    text: 'Too many people were removed from this session. Close it and open a new one.',
  },
  SESSION_FULL: { status: 409, text: 'This session is full. Try again when someone has left.' },
  TOO_MANY_SESSIONS: { status: 409, text: 'You have too many sessions open. Leave one first.' },
  APPROVAL_REQUIRED: { status: 403, text: 'Waiting for the creator of the session to let you in' },
  APPROVAL_DENIED: { status: 403, text: 'The creator of the session declined your request' },
  ROOM_NOT_FOUND: { status: 404, text: 'Room not found' },
  TICKET_INVALID: {
    status: 401,
    text: 'The ticket for this connection has already been used. Please reload the page.',
  },
} as const satisfies Record<ErrorCode, { status: number; text: string }>

/** The body of every error response under `/api`. */
export interface ErrorBody {
  readonly success: false
  readonly error: string
  readonly code: ErrorCode
  readonly details?: Readonly<Record<string, unknown>>
}
