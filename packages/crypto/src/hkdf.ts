import { type Bytes, unshared } from './bytes.ts'
import { keyBytes, requireSecret } from './secret.ts'

/** A root key of 32 bytes, or the same key imported once with `importRootKey`. */
export type RootKey = Uint8Array | CryptoKey

interface HkdfInput {
  readonly from: CryptoKey
  readonly salt: Uint8Array
  readonly info: Uint8Array
}

/** Imports a root key, from which many keys are derived, as a non-extractable handle. */
export const importRootKey = async (rootKey: RootKey): Promise<CryptoKey> =>
  rootKey instanceof CryptoKey ? rootKey : importHkdfSecret(requireSecret(rootKey))

/** For secrets that are combined from several parts; the caller validates the parts. */
export const importHkdfSecret = (secret: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits', 'deriveKey'])

/** HKDF-SHA-256 (RFC 5869). */
export async function deriveBytes({ from, ...rest }: HkdfInput, length: number = keyBytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf(rest), from, length * 8))
}

/** HKDF-SHA-256 to a non-extractable AES-256-GCM key. */
export const deriveAesKey = ({ from, ...rest }: HkdfInput): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(hkdf(rest), from, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

const hkdf = ({ salt, info }: Omit<HkdfInput, 'from'>): HkdfParams => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: unshared(salt),
  info: unshared(info),
})
