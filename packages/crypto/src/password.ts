import { type Bytes, utf8 } from './bytes.ts'
import { malformed } from './errors.ts'

/** The bytes of a password for every derivation: NFKC, not trimmed. */
export function passwordBytes(password: string): Bytes {
  if (typeof password !== 'string' || password === '') throw malformed('The password is empty')
  return utf8(password.normalize('NFKC'))
}

/** PBKDF2-HMAC-SHA-256 to 32 bytes. */
export async function stretch(secret: Bytes, salt: Bytes, iterations: number): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
}
