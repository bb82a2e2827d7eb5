import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open, seal } from './gcm.ts'
import { deriveAesKey, importSecret } from './hkdf.ts'
import { labels } from './labels.ts'
import { passwordBytes, stretch } from './password.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'
import { sealingOverheadBytes } from './sizes.ts'
import { userIdBytes, userIdText } from './user-id.ts'

interface KeyEncryptionSources {
  readonly masterKey: Uint8Array
  readonly wrapSecret: Uint8Array
  readonly userId: string
}

interface Wrapping {
  readonly keyEncryptionKey: CryptoKey
  readonly userId: string
  /** Counts up with every new account key of this user, so that an old record cannot stand in for a new one. */
  readonly keyVersion: number
}

const masterKeyIterations = 100_000
const wrappedKeyBytes = keyBytes + sealingOverheadBytes

/** PBKDF2 with the password and the user id as salt: the master key, which alone opens nothing. */
export async function deriveMasterKey(password: string, userId: string): Promise<Bytes> {
  const secret = passwordBytes(password)
  return stretch(secret, concatBytes(secret, userIdBytes(userId)), masterKeyIterations)
}

/** Takes both secrets of a password, so that guessing it costs both derivations. */
export async function deriveKeyEncryptionKey(sources: KeyEncryptionSources): Promise<CryptoKey> {
  const both = concatBytes(requireSecret(sources.masterKey), requireSecret(sources.wrapSecret))
  const salt = userIdBytes(sources.userId)
  return deriveAesKey({ from: await importSecret(both), salt, info: utf8(labels.keyEncryption) })
}

/** Made once for an account: the root of everything that it stores. */
export const createAccountKey = (): Bytes => createKey()

/** The wrapped account key, 60 bytes as base64url, for the server to keep. */
export async function wrapAccountKey({
  accountKey,
  ...wrapping
}: Wrapping & { accountKey: Uint8Array }): Promise<string> {
  const associated = boundTo(wrapping)
  const plain = requireSecret(accountKey)
  return toBase64url(await seal({ key: wrapping.keyEncryptionKey, plain, associated }))
}

/** Fails with `wrong-key` for another password, user or key version: the tag does not tell them apart. */
export async function unwrapAccountKey({ wrappedKey, ...wrapping }: Wrapping & { wrappedKey: string }): Promise<Bytes> {
  const sealed = fromBase64url(wrappedKey)
  if (sealed.length !== wrappedKeyBytes) throw malformed('A wrapped account key has 60 bytes')
  const accountKey = await open({ key: wrapping.keyEncryptionKey, sealed, associated: boundTo(wrapping) })
  if (!accountKey) throw new CryptoError('wrong-key', 'The password does not open the account key')
  return requireSecret(accountKey)
}

function boundTo({ userId, keyVersion }: Wrapping): Bytes {
  if (!Number.isSafeInteger(keyVersion) || keyVersion < 0) throw malformed('A key version is a whole number')
  return utf8(`${labels.accountKey}|${userIdText(userId)}|${keyVersion}`)
}
