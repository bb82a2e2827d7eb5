import type { Bytes } from './bytes.ts'
import { open } from './gcm.ts'
import { type SealIntoInput, seal, sealInto } from './gcm-seal.ts'
import { sha256 } from './hash.ts'
import { randomBytes } from './random.ts'
import { keyBytes, requireSecret } from './secret.ts'

export const createPortalKey = (): Bytes => randomBytes(keyBytes)

/** Imports the 32 bytes of the key that seals portal traffic. */
export const importPortalKey = (key: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', requireSecret(key), 'AES-GCM', false, ['encrypt', 'decrypt'])

const noAad = new Uint8Array(0)

/** IV ‖ ciphertext ‖ tag with a random IV. */
export const sealPortalRecord = (key: CryptoKey, plain: Uint8Array, aad: Uint8Array = noAad): Promise<Bytes> =>
  seal({ key, plain, aad })

/** Seals into a target of exactly the sealed length, for callers that prepend a header. */
export const sealPortalRecordInto = (input: SealIntoInput): Promise<void> => sealInto(input)

/** Returns null for records that were not sealed with this key and these AAD. */
export const openPortalRecord = (key: CryptoKey, sealed: Uint8Array, aad: Uint8Array = noAad): Promise<Bytes | null> =>
  open({ key, sealed, aad })

export const portalDigest = (bytes: Uint8Array): Promise<Bytes> => sha256(bytes)
