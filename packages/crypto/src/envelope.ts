import { fromBase64url, toBase64url } from './base64url.ts'
import type { Bytes } from './bytes.ts'
import { malformed, unsupported } from './errors.ts'
import { decodeFileHeader, type FileHeader, type HeaderLimits } from './header.ts'

// The entry point for code without keys: nothing in here or in its imports can open anything.
export { CryptoError, type CryptoErrorCode } from './errors.ts'
export type { FileHeader, FileKind, HeaderLimits } from './header.ts'
export { longestSenderNameBytes, type MessageKeyParts, type MessageKind, parseMessageKey } from './message-parts.ts'
export { isSealedName } from './sealed-name.ts'
export { recordStart, sealedBytes, sealedRecordBytes, sealingOverheadBytes as recordOverheadBytes } from './sizes.ts'

export type WrapType = 'account' | 'share' | 'session' | 'portal'

/** A wrapped file key as it is stored, parsed but not opened. */
export interface Envelope {
  readonly wrapType: WrapType
  readonly header: FileHeader
  readonly encodedHeader: Bytes
  /** Identifies the root key that wrapped the file key, without revealing it. */
  readonly keyId: Bytes
  /** The same in every envelope of a file. */
  readonly commit: Bytes
  /** IV, ciphertext and tag. */
  readonly wrappedKey: Bytes
}

export const envelopeCharacters = 200
export const envelopeVersion = 0xe1
export const byteOfWrapType: Record<WrapType, number> = { account: 1, share: 2, session: 3, portal: 4 }
const typeOfByte = new Map(Object.entries(byteOfWrapType).map(([type, byte]) => [byte, type as WrapType]))

/** Parses the public parts of an envelope; rejects anything that is not exactly one. */
export function parseEnvelope(text: string, limits: HeaderLimits = {}): Envelope {
  if (text.length !== envelopeCharacters) throw malformed('An envelope has 200 characters')
  const bytes = fromBase64url(text)
  const wrapType = typeOfByte.get(bytes[1] ?? 0)
  if (bytes[0] !== envelopeVersion || !wrapType) throw unsupported('The envelope is of an unknown version or type')
  const encodedHeader = bytes.slice(2, 42)
  return {
    wrapType,
    header: decodeFileHeader(encodedHeader, limits),
    encodedHeader,
    keyId: bytes.slice(42, 58),
    commit: bytes.slice(58, 90),
    wrappedKey: bytes.slice(90),
  }
}

/** The form of a key id that is sent in `X-Encryption-Key`. */
export const keyIdText = (keyId: Uint8Array): string => `kid.${toBase64url(keyId)}`
