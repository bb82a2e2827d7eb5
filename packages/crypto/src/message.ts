import { type Bytes, decodeUtf8, utf8, viewOf } from './bytes.ts'
import { malformed, unsupported } from './errors.ts'
import type { RootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { deriveContext, type MessageFormat, openBox, type SealedMessage, sealBox } from './message-box.ts'
import type { MessageKind } from './message-parts.ts'

export interface OpenedMessage {
  readonly text: string
  /** Milliseconds since 1970, by the sender's clock. */
  readonly sentAt: number
}

interface MessageBase {
  /** The account key for a personal message, the session key for a session message. */
  readonly root: RootKey
  readonly kind: MessageKind
}

interface MessageInput extends MessageBase {
  /** The id of the user or of the session that the message is bound to. */
  readonly contextId: string
}

const payloadVersion = 1
const textStart = 9

/** Seals a text with its own key and wraps that key with the root key. */
export async function sealMessage({ contextId, ...message }: MessageInput & OpenedMessage): Promise<SealedMessage> {
  return sealMessageWithContext({ ...message, context: await deriveContext(contextId) })
}

/** Rejects messages of another kind, user or session, and those whose key and content do not match. */
export async function openMessage({ contextId, ...message }: MessageInput & SealedMessage): Promise<OpenedMessage> {
  return openMessageWithContext({ ...message, context: await deriveContext(contextId) })
}

interface BoundMessageInput extends MessageBase {
  readonly context: Bytes
}

export const sealMessageWithContext = ({
  root,
  kind,
  context,
  text,
  sentAt,
}: BoundMessageInput & OpenedMessage): Promise<SealedMessage> =>
  sealBox({ root, context, format: formatOf(kind) }, encodePayload({ text, sentAt }))

export async function openMessageWithContext({
  root,
  kind,
  context,
  ...sealed
}: BoundMessageInput & SealedMessage): Promise<OpenedMessage> {
  return decodePayload(await openBox({ root, context, format: formatOf(kind) }, sealed))
}

const formatOf = (kind: MessageKind): MessageFormat => ({
  version: 1,
  kind,
  wrapLabel: labels.wrapMessage,
  contentLabel: labels.message,
})

function encodePayload({ text, sentAt }: OpenedMessage): Bytes {
  if (!Number.isSafeInteger(sentAt) || sentAt < 0) throw malformed('The time of the message is out of range')
  const content = utf8(text)
  const payload = new Uint8Array(textStart + content.length)
  payload[0] = payloadVersion
  viewOf(payload).setBigUint64(1, BigInt(sentAt))
  payload.set(content, textStart)
  return payload
}

function decodePayload(payload: Bytes): OpenedMessage {
  if (payload[0] !== payloadVersion) throw unsupported('The message is of an unknown version')
  if (payload.length < textStart) throw malformed('The message is too short')
  const sentAt = Number(viewOf(payload).getBigUint64(1))
  if (!Number.isSafeInteger(sentAt)) throw malformed('The time of the message is out of range')
  try {
    return { text: decodeUtf8(payload.subarray(textStart)), sentAt }
  } catch {
    throw malformed('The message is not valid UTF-8')
  }
}
