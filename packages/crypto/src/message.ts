import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, textOf, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import { open, seal } from './gcm.ts'
import { sha256 } from './hash.ts'
import { deriveAesKey, importRoot, type Root } from './hkdf.ts'
import { labels } from './labels.ts'
import { byteOfMessageKind, type MessageKind, messageMagic, messageVersion, parseMessageKey } from './message-parts.ts'
import { pad, unpad } from './padding.ts'
import { randomBytes } from './random.ts'
import { createKey, requireSecret } from './secret.ts'
import { keyIdOfUse } from './wrap.ts'

export interface SealedMessage {
  readonly encryptedKey: string
  readonly encryptedContent: string
}

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

export async function sealMessageAt(message: At & OpenedMessage): Promise<SealedMessage> {
  const { root, kind, context, text, sentAt } = message
  const messageUid = randomBytes(16)
  const contentSecret = createKey()
  const header = concatBytes(messageMagic, [messageVersion, byteOfMessageKind[kind], 0, 0], messageUid, context)

  const from = await importRoot(root)
  const bound = concatBytes(header, await keyIdOfUse(from, byteOfMessageKind[kind]))
  const wrappingKey = await deriveAesKey({ from, salt: messageUid, info: utf8(labels.wrapMessage) })
  const wrapped = await seal({ key: wrappingKey, plain: contentSecret, associated: bound })
  const content = await seal({
    key: await contentKey(contentSecret, messageUid),
    plain: pad(encodePayload({ text, sentAt })),
    associated: header,
  })
  return { encryptedKey: toBase64url(concatBytes(bound, wrapped)), encryptedContent: toBase64url(content) }
}

export async function openMessageAt(message: At & SealedMessage): Promise<OpenedMessage> {
  const { root, kind, context, encryptedKey, encryptedContent } = message
  const parts = parseMessageKey(encryptedKey)
  if (parts.kind !== kind || !equalBytes(parts.context, context)) throw malformed('The message belongs elsewhere')

  const from = await importRoot(root)
  const keyId = await keyIdOfUse(from, byteOfMessageKind[kind])
  if (!equalBytes(keyId, parts.keyId)) throw new CryptoError('wrong-key', 'Another key wrapped this message key')

  const wrappingKey = await deriveAesKey({ from, salt: parts.messageUid, info: utf8(labels.wrapMessage) })
  const bound = concatBytes(parts.encodedHeader, keyId)
  const contentSecret = await open({ key: wrappingKey, sealed: parts.wrappedKey, associated: bound })
  if (!contentSecret) throw new CryptoError('damaged', 'The message key cannot be verified')

  const key = await contentKey(contentSecret, parts.messageUid)
  const sealed = fromBase64url(encryptedContent)
  const payload = await open({ key, sealed, associated: parts.encodedHeader })
  if (!payload) throw new CryptoError('damaged', 'The message cannot be verified')
  return decodePayload(unpad(payload))
}

const contextOf = async (contextId: string): Promise<Bytes> => {
  if (!contextId) throw malformed('The id of the user or session is missing')
  return (await sha256(utf8(contextId))).slice(0, 16)
}

const contentKey = async (secret: Bytes, messageUid: Bytes): Promise<CryptoKey> =>
  deriveAesKey({ from: await importRoot(requireSecret(secret)), salt: messageUid, info: utf8(labels.message) })

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
