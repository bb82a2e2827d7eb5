import { ApiError } from '@sallyport/client/errors'
import type { PortalError, PortalErrorCode } from '@sallyport/client/portal/errors'
import { area } from '../area.ts'
import { formatNumber, plural } from '../format.ts'

/** Those in lower case follow 'Transfer failed: '. */
export const portalErrorStrings = area('portalErrors', {
  CANNOT_CREATE: 'Failed to create wormhole',
  CANNOT_REACH: 'Failed to join wormhole',
  ROOM_CREATION_TIMEOUT: 'Room creation timeout',
  NOBODY_JOINED: 'Nobody joined within 10 minutes.',
  ROOM_JOIN_TIMEOUT: 'Room join timeout',
  ROOM_CREATION_FAILED: 'Room creation failed',
  ROOM_JOIN_FAILED: 'Room join failed',
  SOCKET_FAILED: 'WebSocket connection failed',
  CANNOT_JOIN: 'Failed to join room',
  TOO_MANY_TRIES: (seconds: number) =>
    plural(seconds, {
      one: 'Too many attempts. Try again in 1 second.',
      other: `Too many attempts. Try again in ${seconds} seconds.`,
    }),
  tooManyTriesMinutes: (minutes: number) =>
    plural(minutes, {
      one: 'Too many attempts. Try again in 1 minute.',
      other: `Too many attempts. Try again in ${minutes} minutes.`,
    }),
  CANNOT_ENTER: 'Failed to join portal room',
  UNKNOWN: 'Unknown error',
  NOT_READY: 'Connection not fully established. Please wait for both devices to confirm readiness.',
  CONNECTION_TIMEOUT: 'Connection timeout. Please try reconnecting both devices.',
  REJECTED: 'File transfer rejected by peer',
  CHANNEL_LOST: 'Data channel lost',
  DRAIN_TIMEOUT: 'Buffer drain timeout',
  CHUNK_NOT_SENT: 'Failed to send chunk after 3 attempts',
  INCOMPLETE: (bytes: number) => `the file arrived incomplete (${formatNumber(bytes)} bytes missing)`,
  DAMAGED: 'the file arrived damaged',
  TOO_MUCH: 'the other device sent more than it offered',
  SOURCE_CHANGED: 'the file changed while it was being sent',
  NO_SPACE: 'there is not enough space on the other device',
  NO_SPACE_HERE: 'there is not enough space on this device',
  CANCELLED: 'the transfer was cancelled',
  PEER_RESET: 'the other device stopped the transfer',
  TOO_MANY_FILES: 'there are too many files for one transfer, send them in smaller batches',
  ENDED: 'This portal has ended. Connect both devices with a new code to continue the transfer.',
  NO_CONNECTION: 'No active wormhole connection',
  NOT_VERIFIED: "Couldn't verify the other device. Ask for a new link or code.",
  TAMPERED: 'Someone tampered with the connection, so the portal was closed.',
  LEGACY_REJECTED: 'An unverified device tried to join. Here is a new code.',
  TYPED_CODE_REJECTED: 'Someone typed the code. Only the link or the QR code opens this portal.',
  LINK_REJECTED: "Someone tried to join and couldn't prove the link. The link still works.",
  DECLINED: 'You declined a device. Here is a new code.',
  LEFT_UNANSWERED: 'The other device left before you answered. Here is a new code.',
  WRONG_CODE: 'Someone entered a wrong code. Here is a new one.',
  LINK_INCOMPLETE: 'This link is incomplete. Ask for the whole link, including the part after #.',
  CODE_USED_UP: 'This code has already been used. Ask for a new link or code.',
  CODE_NOT_ACCEPTED: "The server sent a code that isn't safe to use, so no portal was opened. Try again later.",
  ANSWER_NOT_ACCEPTED: 'The server sent an invalid response. Try again, or reload the page.',
  CLOSED: 'the portal was closed',
  codeMayHaveChanged: 'The code may have changed. Look at the other screen.',
  joinByLinkFailed: 'Failed to join room from QR code',
  joinAsVisitorFailed: 'Failed to join portal',
})

/** The sentence for an error: the server's own only if it came with an error code. */
export const describePortalError = (error: PortalError | ApiError): string =>
  error instanceof ApiError ? error.serverMessage : describePortalCode(error.code, error.amount)

export function describePortalCode(code: PortalErrorCode, amount = 0): string {
  if (code === 'TOO_MANY_TRIES' && amount > 90) return portalErrorStrings.tooManyTriesMinutes(Math.ceil(amount / 60))
  const sentence = portalErrorStrings[code]
  return typeof sentence === 'function' ? sentence(amount) : sentence
}
