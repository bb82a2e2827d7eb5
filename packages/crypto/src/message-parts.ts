import { fromBase64url } from './base64url.ts'
import { type Bytes, startsWith, utf8 } from './bytes.ts'
import { malformed, unsupported } from './errors.ts'

/** The message kinds of version 1. */
export type MessageKind = 'personal' | 'session'

/** The wrapped key of a message or of a participant's name, parsed but not opened. */
export interface MessageKeyParts {
  /** Version 2 binds a session message to its sender; version 1 does not. */
  readonly version: 1 | 2
  readonly kind: MessageKind | 'session-name'
  readonly encodedHeader: Bytes
  readonly messageUid: Bytes
  /** The first 16 bytes of the SHA-256 of the context id: the id of a user, a session or a participant. */
  readonly context: Bytes
  readonly keyId: Bytes
  /** IV, ciphertext and tag. */
  readonly wrappedKey: Bytes
}

export const messageMagic = utf8('EF1M')
export const byteOfMessageKind = { personal: 0x11, session: 0x12, 'session-name': 0x13 } as const

const kindsOfVersion = {
  1: new Map<number, MessageKeyParts['kind']>([
    [0x11, 'personal'],
    [0x12, 'session'],
  ]),
  2: new Map<number, MessageKeyParts['kind']>([
    [0x12, 'session'],
    [0x13, 'session-name'],
  ]),
} as const

const messageKeyBytes = 116

/** In UTF-8, of the sender of a session message. */
export const longestSenderNameBytes = 256

/** Parses the public parts of `encryptedKey`; rejects anything that is not exactly one. */
export function parseMessageKey(encryptedKey: string): MessageKeyParts {
  const bytes = fromBase64url(encryptedKey)
  if (bytes.length !== messageKeyBytes || !startsWith(bytes, messageMagic)) throw malformed('This is not a message key')
  const version = bytes[4] === 1 || bytes[4] === 2 ? bytes[4] : null
  const kind = version && kindsOfVersion[version].get(bytes[5] ?? 0)
  if (!version || !kind || bytes[6] !== 0 || bytes[7] !== 0) {
    throw unsupported('The message is of an unknown version or kind')
  }
  return {
    version,
    kind,
    encodedHeader: bytes.slice(0, 40),
    messageUid: bytes.slice(8, 24),
    context: bytes.slice(24, 40),
    keyId: bytes.slice(40, 56),
    wrappedKey: bytes.slice(56),
  }
}
