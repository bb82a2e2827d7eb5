import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, decodeUtf8, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import type { RootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { deriveContext, type MessageFormat, openBox, type SealedMessage, sealBox } from './message-box.ts'
import { longestSenderNameBytes } from './message-parts.ts'
import { randomBytes } from './random.ts'

/** The sender, as claimed by the sender. Every holder of the session key could have written it, but not the server. */
interface Sender {
  /**
   * 16 random bytes in base64url, chosen by the sender's client: messages with the same id are from one participant.
   */
  readonly senderId: string
  /** Empty if the sender has chosen no name. */
  readonly senderName: string
  /** Milliseconds since 1970, by the sender's clock. */
  readonly sentAt: number
}

export interface OpenedSessionMessage extends Sender {
  readonly text: string
}

export type OpenedSessionName = Sender

interface SessionScope {
  readonly root: RootKey
  readonly sessionId: string
}

interface ParticipantScope extends SessionScope {
  /** The id that the server has assigned to the participant. */
  readonly participantId: string
}

const senderIdBytes = 16
const payloadVersion = 2
const nameLengthOffset = 9 + senderIdBytes
const nameOffset = nameLengthOffset + 2

const messageFormat: MessageFormat = {
  version: 2,
  kind: 'session',
  wrapLabel: labels.wrapSessionMessage,
  contentLabel: labels.sessionMessage,
}
const nameFormat: MessageFormat = {
  version: 2,
  kind: 'session-name',
  wrapLabel: labels.wrapSessionName,
  contentLabel: labels.sessionName,
}

/** Created by every client each time it joins a session. */
export const createSenderId = (): string => toBase64url(randomBytes(senderIdBytes))

/** Seals a session message together with its sender's id and name. */
export const sealSessionMessage = async (message: SessionScope & OpenedSessionMessage): Promise<SealedMessage> =>
  sealBox(await messageContextOf(message), encodePayload(message))

/** Rejects messages of another session, and sealed names. */
export const openSessionMessage = async (message: SessionScope & SealedMessage): Promise<OpenedSessionMessage> =>
  decodePayload(await openBox(await messageContextOf(message), message))

/** Seals the name of a participant for the list of a session's participants. */
export async function sealSessionName(name: ParticipantScope & OpenedSessionName): Promise<string> {
  const payload = encodePayload({ ...name, text: '' })
  const { encryptedKey, encryptedContent } = await sealBox(await nameContextOf(name), payload)
  return `${encryptedKey}.${encryptedContent}`
}

/** Rejects names that were sealed for another participant or session, and messages. */
export async function openSessionName(sealed: ParticipantScope & { sealedName: string }): Promise<OpenedSessionName> {
  const [encryptedKey = '', encryptedContent = '', ...more] = sealed.sealedName.split('.')
  if (more.length > 0) throw malformed('This is not a sealed name')
  const payload = await openBox(await nameContextOf(sealed), { encryptedKey, encryptedContent })
  const { text, ...name } = decodePayload(payload)
  if (text !== '') throw malformed('A sealed name contains no text')
  return name
}

const messageContextOf = async ({ root, sessionId }: SessionScope) => ({
  root,
  format: messageFormat,
  context: await deriveContext(sessionId),
})

const nameContextOf = async ({ root, sessionId, participantId }: ParticipantScope) => {
  if (!sessionId || !participantId) throw malformed('The id of the participant is missing')
  return { root, format: nameFormat, context: await deriveContext(`${sessionId}/${participantId}`) }
}

function encodePayload({ senderId, senderName, sentAt, text }: OpenedSessionMessage): Bytes {
  if (!Number.isSafeInteger(sentAt) || sentAt < 0) throw malformed('The time of the message is out of range')
  const id = fromBase64url(senderId)
  const name = utf8(senderName.normalize('NFC'))
  if (id.length !== senderIdBytes) throw malformed('A sender id has 16 bytes')
  if (name.length > longestSenderNameBytes) throw new CryptoError('too-long', 'A sender name has at most 256 bytes')
  const head = new Uint8Array(nameOffset)
  head[0] = payloadVersion
  viewOf(head).setBigUint64(1, BigInt(sentAt))
  head.set(id, 9)
  viewOf(head).setUint16(nameLengthOffset, name.length)
  return concatBytes(head, name, utf8(text))
}

function decodePayload(payload: Bytes): OpenedSessionMessage {
  if (payload[0] !== payloadVersion) throw unsupported('The message is of an unknown version')
  if (payload.length < nameOffset) throw malformed('The message is too short')
  const view = viewOf(payload)
  const sentAt = Number(view.getBigUint64(1))
  const textStart = nameOffset + view.getUint16(nameLengthOffset)
  const hasValidLengths = textStart <= payload.length && textStart - nameOffset <= longestSenderNameBytes
  if (!hasValidLengths || !Number.isSafeInteger(sentAt)) throw malformed('The message has invalid lengths')
  try {
    return {
      senderId: toBase64url(payload.subarray(9, nameLengthOffset)),
      senderName: decodeUtf8(payload.subarray(nameOffset, textStart)),
      sentAt,
      text: decodeUtf8(payload.subarray(textStart)),
    }
  } catch {
    throw malformed('The message is not valid UTF-8')
  }
}
