import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open } from './gcm.ts'
import { seal } from './gcm-seal.ts'
import { sha256 } from './hash.ts'
import { deriveAesKey, importRootKey, type RootKey } from './hkdf.ts'
import { byteOfMessageKind, type MessageKeyParts, messageMagic, parseMessageKey } from './message-parts.ts'
import { pad, unpad } from './padding.ts'
import { randomBytes } from './random.ts'
import { createKey, requireSecret } from './secret.ts'
import { keyIdOfUse } from './wrap.ts'

export interface SealedMessage {
  readonly encryptedKey: string
  readonly encryptedContent: string
}

/** One version and kind of message; no two of them share labels and header. */
export interface MessageFormat extends Pick<MessageKeyParts, 'version' | 'kind'> {
  readonly wrapLabel: string
  readonly contentLabel: string
}

export interface MessageContext {
  readonly root: RootKey
  readonly format: MessageFormat
  readonly context: Bytes
}

/** Seals a payload with its own key and wraps that key with the root key. */
export async function sealBox({ root, format, context }: MessageContext, payload: Bytes): Promise<SealedMessage> {
  const kind = byteOfMessageKind[format.kind]
  const messageUid = randomBytes(16)
  const contentSecret = createKey()
  const header = concatBytes(messageMagic, [format.version, kind, 0, 0], messageUid, context)

  const from = await importRootKey(root)
  const keyAad = concatBytes(header, await keyIdOfUse(from, kind))
  const wrappingKey = await deriveAesKey({ from, salt: messageUid, info: utf8(format.wrapLabel) })
  const wrapped = await seal({ key: wrappingKey, plain: contentSecret, aad: keyAad })
  const content = await seal({
    key: await deriveContentKey(format, contentSecret, messageUid),
    plain: pad(payload),
    aad: header,
  })
  return { encryptedKey: toBase64url(concatBytes(keyAad, wrapped)), encryptedContent: toBase64url(content) }
}

/** Opens a message of exactly this version, kind and context. */
export async function openBox({ root, format, context }: MessageContext, sealed: SealedMessage): Promise<Bytes> {
  const parts = parseMessageKey(sealed.encryptedKey)
  const isExpectedFormat = parts.kind === format.kind && parts.version === format.version
  if (!isExpectedFormat || !equalBytes(parts.context, context))
    throw malformed('The message has another kind, version or context')

  const from = await importRootKey(root)
  const keyId = await keyIdOfUse(from, byteOfMessageKind[format.kind])
  if (!equalBytes(keyId, parts.keyId)) throw new CryptoError('wrong-key', 'Another key wrapped this message key')

  const wrappingKey = await deriveAesKey({ from, salt: parts.messageUid, info: utf8(format.wrapLabel) })
  const keyAad = concatBytes(parts.encodedHeader, keyId)
  const contentSecret = await open({ key: wrappingKey, sealed: parts.wrappedKey, aad: keyAad })
  if (!contentSecret) throw new CryptoError('damaged', 'The message key cannot be verified')

  const key = await deriveContentKey(format, contentSecret, parts.messageUid)
  const content = fromBase64url(sealed.encryptedContent)
  const payload = await open({ key, sealed: content, aad: parts.encodedHeader })
  if (!payload) throw new CryptoError('damaged', 'The message cannot be verified')
  return unpad(payload)
}

/** Binds a message to the user, session or participant with this id. */
export const deriveContext = async (id: string): Promise<Bytes> => {
  if (!id) throw malformed('The context id is missing')
  return (await sha256(utf8(id))).slice(0, 16)
}

const deriveContentKey = async (format: MessageFormat, secret: Bytes, messageUid: Bytes): Promise<CryptoKey> =>
  deriveAesKey({ from: await importRootKey(requireSecret(secret)), salt: messageUid, info: utf8(format.contentLabel) })
