import { type Bytes, equalBytes, unshared } from './bytes.ts'
import { malformed } from './errors.ts'
import { randomBytes } from './random.ts'

/** The size of every root, file, share and content key. */
export const keyBytes = 32

/**
 * Creates a key of 32 bytes. Throws if the random generator repeats itself, so that nothing is sealed on such a device.
 */
export function createKey(): Bytes {
  const key = randomBytes(keyBytes)
  if (equalBytes(key, randomBytes(keyBytes))) throw new Error('The random generator of this device repeats itself')
  return key
}

/**
 * Returns the secret if it has the right size, otherwise throws `malformed`. A missing, short or all-zero key is a bug
 * in the caller, and sealing with it would appear to succeed.
 */
export function requireSecret(secret: Uint8Array, length: number = keyBytes): Bytes {
  if (!(secret instanceof Uint8Array)) throw malformed('A secret is missing')
  if (secret.length !== length) throw malformed(`A secret of ${length} bytes was expected`)
  if (secret.every((byte) => byte === 0)) throw malformed('A secret is all zero')
  return unshared(secret)
}
