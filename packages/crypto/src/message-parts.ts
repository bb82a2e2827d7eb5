import { fromBase64url } from './base64url.ts'
import { type Bytes, startsWith, utf8 } from './bytes.ts'
import { malformed, unsupported } from './errors.ts'

export type MessageKind = 'personal' | 'session'

/** The wrapped key of a message, taken apart but not opened. */
export interface MessageKeyParts {
  readonly kind: MessageKind
  readonly encodedHeader: Bytes
  readonly messageUid: Bytes
  /** First 16 bytes of the SHA-256 of the id of the user or session that the message belongs to. */
  readonly context: Bytes
  readonly keyId: Bytes
  /** IV, ciphertext and tag. */
  readonly wrappedKey: Bytes
}

export const messageMagic = utf8('EF1M')
export const messageVersion = 1
export const byteOfMessageKind: Record<MessageKind, number> = { personal: 0x11, session: 0x12 }
const kindOfByte = new Map(Object.entries(byteOfMessageKind).map(([kind, byte]) => [byte, kind as MessageKind]))

const messageKeyBytes = 116

/** Reads the public parts of `encryptedKey` and refuses whatever is not one to the last bit. */
export function parseMessageKey(encryptedKey: string): MessageKeyParts {
  const bytes = fromBase64url(encryptedKey)
  if (bytes.length !== messageKeyBytes || !startsWith(bytes, messageMagic)) throw malformed('This is no message key')
  const kind = kindOfByte.get(bytes[5] ?? 0)
  if (bytes[4] !== messageVersion || !kind || bytes[6] !== 0 || bytes[7] !== 0) {
    throw unsupported('The message is of an unknown version or kind')
  }
  return {
    kind,
    encodedHeader: bytes.slice(0, 40),
    messageUid: bytes.slice(8, 24),
    context: bytes.slice(24, 40),
    keyId: bytes.slice(40, 56),
    wrappedKey: bytes.slice(56),
  }
}
