import type { Bytes } from './bytes.ts'
import { open, type SealInto, seal, sealInto } from './gcm.ts'
import { sha256 } from './hash.ts'
import { randomBytes } from './random.ts'
import { keyBytes, requireSecret } from './secret.ts'

export const createPortalKey = (): Bytes => randomBytes(keyBytes)

/** A handle for the 32 bytes that seal what goes through a portal. */
export const importPortalKey = (key: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', requireSecret(key), 'AES-GCM', false, ['encrypt', 'decrypt'])

const nothing = new Uint8Array(0)

/** IV ‖ ciphertext ‖ tag under a fresh random IV. */
export const sealPortalRecord = (key: CryptoKey, plain: Uint8Array, associated: Uint8Array = nothing): Promise<Bytes> =>
  seal({ key, plain, associated })

/** The same into a place of its size, for whoever puts something in front of it. */
export const sealPortalRecordInto = (wish: SealInto): Promise<void> => sealInto(wish)

/** Null for what was not sealed under this key, for this place. */
export const openPortalRecord = (
  key: CryptoKey,
  sealed: Uint8Array,
  associated: Uint8Array = nothing,
): Promise<Bytes | null> => open({ key, sealed, associated })

export const portalDigest = (bytes: Uint8Array): Promise<Bytes> => sha256(bytes)
