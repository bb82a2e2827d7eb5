import { type Bytes, unshared } from './bytes.ts'
import { keyBytes, requireSecret } from './secret.ts'

/** A root of 32 bytes, or the same root imported once by `importRoot`. */
export type Root = Uint8Array | CryptoKey

interface Derivation {
  readonly from: CryptoKey
  readonly salt: Uint8Array
  readonly info: Uint8Array
}

/** A non-extractable handle for a root that many keys are derived from. */
export const importRoot = async (root: Root): Promise<CryptoKey> =>
  root instanceof CryptoKey ? root : importSecret(requireSecret(root))

/** For secrets put together from several parts; the parts are checked by the caller. */
export const importSecret = (secret: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits', 'deriveKey'])

/** HKDF-SHA-256 (RFC 5869). */
export async function deriveBytes({ from, ...rest }: Derivation, length: number = keyBytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf(rest), from, length * 8))
}

/** HKDF-SHA-256 to a non-extractable AES-256-GCM key. */
export const deriveAesKey = ({ from, ...rest }: Derivation): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(hkdf(rest), from, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

const hkdf = ({ salt, info }: Omit<Derivation, 'from'>): HkdfParams => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: unshared(salt),
  info: unshared(info),
})
