import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, textOf, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import type { Root } from './hkdf.ts'
import { labels } from './labels.ts'
import { contextOf, type MessageForm, openBox, type SealedMessage, sealBox } from './message-box.ts'
import { longestSenderNameBytes } from './message-parts.ts'
import { randomBytes } from './random.ts'

/** Who sealed something, as they say themselves. Every holder of the session key could have written it; the server not. */
interface Sender {
  /** 16 bytes in base64url that the sender's client has drawn: messages with the same one are from one participant. */
  readonly senderId: string
  /** Empty while the sender has chosen no name. */
  readonly senderName: string
  /** Milliseconds since 1970, by the sender's clock. */
  readonly sentAt: number
}

export interface OpenedSessionMessage extends Sender {
  readonly text: string
}

export type OpenedSessionName = Sender

interface Session {
  readonly root: Root
  readonly sessionId: string
}

interface Participant extends Session {
  /** As the server has named the participant to their own client. */
  readonly participantId: string
}

const senderIdBytes = 16
const payloadVersion = 2
const nameLengthAt = 9 + senderIdBytes
const nameStart = nameLengthAt + 2

const messageForm: MessageForm = {
  version: 2,
  kind: 'session',
  wrapLabel: labels.wrapSessionMessage,
  contentLabel: labels.sessionMessage,
}
const nameForm: MessageForm = {
  version: 2,
  kind: 'session-name',
  wrapLabel: labels.wrapSessionName,
  contentLabel: labels.sessionName,
}

/** Drawn by every client for every stay in a session. */
export const createSenderId = (): string => toBase64url(randomBytes(senderIdBytes))

/** Seals a message of a session together with its sender's id and name. */
export const sealSessionMessage = async (message: Session & OpenedSessionMessage): Promise<SealedMessage> =>
  sealBox(await placeOfMessage(message), encodePayload(message))

/** Refuses messages of another session, and sealed names. */
export const openSessionMessage = async (message: Session & SealedMessage): Promise<OpenedSessionMessage> =>
  decodePayload(await openBox(await placeOfMessage(message), message))

/** Seals the name of a participant for the list of a session's participants. */
export async function sealSessionName(name: Participant & OpenedSessionName): Promise<string> {
  const payload = encodePayload({ ...name, text: '' })
  const { encryptedKey, encryptedContent } = await sealBox(await placeOfName(name), payload)
  return `${encryptedKey}.${encryptedContent}`
}

/** Refuses names that were sealed for another participant or session, and messages. */
export async function openSessionName(sealed: Participant & { sealedName: string }): Promise<OpenedSessionName> {
  const [encryptedKey = '', encryptedContent = '', ...more] = sealed.sealedName.split('.')
  if (more.length > 0) throw malformed('This is no sealed name')
  const payload = await openBox(await placeOfName(sealed), { encryptedKey, encryptedContent })
  const { text, ...name } = decodePayload(payload)
  if (text !== '') throw malformed('The name is not sound')
  return name
}

const placeOfMessage = async ({ root, sessionId }: Session) => ({
  root,
  form: messageForm,
  context: await contextOf(sessionId),
})

const placeOfName = async ({ root, sessionId, participantId }: Participant) => {
  if (!sessionId || !participantId) throw malformed('The id of the participant is missing')
  return { root, form: nameForm, context: await contextOf(`${sessionId}/${participantId}`) }
}

function encodePayload({ senderId, senderName, sentAt, text }: OpenedSessionMessage): Bytes {
  if (!Number.isSafeInteger(sentAt) || sentAt < 0) throw malformed('The time of the message is out of range')
  const id = fromBase64url(senderId)
  const name = utf8(senderName.normalize('NFC'))
  if (id.length !== senderIdBytes) throw malformed('A sender id has 16 bytes')
  if (name.length > longestSenderNameBytes) throw new CryptoError('too-long', 'A sender name has at most 256 bytes')
  const fixed = new Uint8Array(nameStart)
  fixed[0] = payloadVersion
  viewOf(fixed).setBigUint64(1, BigInt(sentAt))
  fixed.set(id, 9)
  viewOf(fixed).setUint16(nameLengthAt, name.length)
  return concatBytes(fixed, name, utf8(text))
}

function decodePayload(payload: Bytes): OpenedSessionMessage {
  if (payload[0] !== payloadVersion) throw unsupported('The message is of an unknown version')
  if (payload.length < nameStart) throw malformed('The message is not sound')
  const view = viewOf(payload)
  const sentAt = Number(view.getBigUint64(1))
  const textStart = nameStart + view.getUint16(nameLengthAt)
  const isSound = textStart <= payload.length && textStart - nameStart <= longestSenderNameBytes
  if (!isSound || !Number.isSafeInteger(sentAt)) throw malformed('The message is not sound')
  try {
    return {
      senderId: toBase64url(payload.subarray(9, nameLengthAt)),
      senderName: textOf(payload.subarray(nameStart, textStart)),
      sentAt,
      text: textOf(payload.subarray(textStart)),
    }
  } catch {
    throw malformed('The message is no text')
  }
}
