import { type Bytes, textOf, utf8, viewOf } from './bytes.ts'
import { malformed, unsupported } from './errors.ts'
import type { Root } from './hkdf.ts'
import { labels } from './labels.ts'
import { contextOf, type MessageForm, openBox, type SealedMessage, sealBox } from './message-box.ts'
import type { MessageKind } from './message-parts.ts'

export interface OpenedMessage {
  readonly text: string
  /** Milliseconds since 1970, as the sender's clock had it. */
  readonly sentAt: number
}

interface Place {
  /** The account key for a personal message, the session key for one in a session. */
  readonly root: Root
  readonly kind: MessageKind
}

interface Conversation extends Place {
  /** The id of the user or of the session that the message belongs to. */
  readonly contextId: string
}

const payloadVersion = 1
const textStart = 9

/** Seals a text under a key of its own and wraps that key under the root. */
export async function sealMessage({ contextId, ...message }: Conversation & OpenedMessage): Promise<SealedMessage> {
  return sealMessageAt({ ...message, context: await contextOf(contextId) })
}

/** Refuses messages of another kind, user or session, and those whose key and content do not belong together. */
export async function openMessage({ contextId, ...message }: Conversation & SealedMessage): Promise<OpenedMessage> {
  return openMessageAt({ ...message, context: await contextOf(contextId) })
}

interface At extends Place {
  readonly context: Bytes
}

export const sealMessageAt = ({ root, kind, context, text, sentAt }: At & OpenedMessage): Promise<SealedMessage> =>
  sealBox({ root, context, form: formOf(kind) }, encodePayload({ text, sentAt }))

export async function openMessageAt({ root, kind, context, ...sealed }: At & SealedMessage): Promise<OpenedMessage> {
  return decodePayload(await openBox({ root, context, form: formOf(kind) }, sealed))
}

const formOf = (kind: MessageKind): MessageForm => ({
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
  if (payload.length < textStart) throw malformed('The message is not sound')
  const sentAt = Number(viewOf(payload).getBigUint64(1))
  if (!Number.isSafeInteger(sentAt)) throw malformed('The time of the message is out of range')
  try {
    return { text: textOf(payload.subarray(textStart)), sentAt }
  } catch {
    throw malformed('The message is no text')
  }
}
