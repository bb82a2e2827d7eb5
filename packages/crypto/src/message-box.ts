import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open, seal } from './gcm.ts'
import { sha256 } from './hash.ts'
import { deriveAesKey, importRoot, type Root } from './hkdf.ts'
import { byteOfMessageKind, type MessageKeyParts, messageMagic, parseMessageKey } from './message-parts.ts'
import { pad, unpad } from './padding.ts'
import { randomBytes } from './random.ts'
import { createKey, requireSecret } from './secret.ts'
import { keyIdOfUse } from './wrap.ts'

export interface SealedMessage {
  readonly encryptedKey: string
  readonly encryptedContent: string
}

/** One version and kind of message; no two of them share both labels and header. */
export interface MessageForm extends Pick<MessageKeyParts, 'version' | 'kind'> {
  readonly wrapLabel: string
  readonly contentLabel: string
}

export interface MessagePlace {
  readonly root: Root
  readonly form: MessageForm
  readonly context: Bytes
}

/** Seals a payload under a key of its own and wraps that key under the root. */
export async function sealBox({ root, form, context }: MessagePlace, payload: Bytes): Promise<SealedMessage> {
  const kind = byteOfMessageKind[form.kind]
  const messageUid = randomBytes(16)
  const contentSecret = createKey()
  const header = concatBytes(messageMagic, [form.version, kind, 0, 0], messageUid, context)

  const from = await importRoot(root)
  const bound = concatBytes(header, await keyIdOfUse(from, kind))
  const wrappingKey = await deriveAesKey({ from, salt: messageUid, info: utf8(form.wrapLabel) })
  const wrapped = await seal({ key: wrappingKey, plain: contentSecret, associated: bound })
  const content = await seal({
    key: await contentKey(form, contentSecret, messageUid),
    plain: pad(payload),
    associated: header,
  })
  return { encryptedKey: toBase64url(concatBytes(bound, wrapped)), encryptedContent: toBase64url(content) }
}

/** The payload of a message of this version, kind and context; anything else fails. */
export async function openBox({ root, form, context }: MessagePlace, sealed: SealedMessage): Promise<Bytes> {
  const parts = parseMessageKey(sealed.encryptedKey)
  const isOfForm = parts.kind === form.kind && parts.version === form.version
  if (!isOfForm || !equalBytes(parts.context, context)) throw malformed('The message belongs elsewhere')

  const from = await importRoot(root)
  const keyId = await keyIdOfUse(from, byteOfMessageKind[form.kind])
  if (!equalBytes(keyId, parts.keyId)) throw new CryptoError('wrong-key', 'Another key wrapped this message key')

  const wrappingKey = await deriveAesKey({ from, salt: parts.messageUid, info: utf8(form.wrapLabel) })
  const bound = concatBytes(parts.encodedHeader, keyId)
  const contentSecret = await open({ key: wrappingKey, sealed: parts.wrappedKey, associated: bound })
  if (!contentSecret) throw new CryptoError('damaged', 'The message key cannot be verified')

  const key = await contentKey(form, contentSecret, parts.messageUid)
  const content = fromBase64url(sealed.encryptedContent)
  const payload = await open({ key, sealed: content, associated: parts.encodedHeader })
  if (!payload) throw new CryptoError('damaged', 'The message cannot be verified')
  return unpad(payload)
}

/** What ties a message to the user, session or participant of this id. */
export const contextOf = async (id: string): Promise<Bytes> => {
  if (!id) throw malformed('The id of what the message belongs to is missing')
  return (await sha256(utf8(id))).slice(0, 16)
}

const contentKey = async (form: MessageForm, secret: Bytes, messageUid: Bytes): Promise<CryptoKey> =>
  deriveAesKey({ from: await importRoot(requireSecret(secret)), salt: messageUid, info: utf8(form.contentLabel) })
