import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open } from './gcm.ts'
import { seal } from './gcm-seal.ts'
import { deriveAesKey, importHkdfSecret } from './hkdf.ts'
import { labels } from './labels.ts'
import { passwordBytes, stretch } from './password.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'
import { sealingOverheadBytes } from './sizes.ts'
import { userIdBytes, userIdText } from './user-id.ts'

interface KeyEncryptionInput {
  readonly masterKey: Uint8Array
  readonly wrapSecret: Uint8Array
  readonly userId: string
}

interface AccountKeyContext {
  readonly keyEncryptionKey: CryptoKey
  readonly userId: string
  /** Increases with every new account key of this user, so that an old record cannot replace a new one. */
  readonly keyVersion: number
}

const masterKeyIterations = 100_000
const wrappedKeyBytes = keyBytes + sealingOverheadBytes

/** PBKDF2 with the user id in the salt. The master key alone opens nothing. */
export async function deriveMasterKey(password: string, userId: string): Promise<Bytes> {
  const secret = passwordBytes(password)
  return stretch(secret, concatBytes(secret, userIdBytes(userId)), masterKeyIterations)
}

/** Combines both secrets that are derived from a password, so that each guess costs both derivations. */
export async function deriveKeyEncryptionKey(input: KeyEncryptionInput): Promise<CryptoKey> {
  const secret = concatBytes(requireSecret(input.masterKey), requireSecret(input.wrapSecret))
  const salt = userIdBytes(input.userId)
  return deriveAesKey({ from: await importHkdfSecret(secret), salt, info: utf8(labels.keyEncryption) })
}

/** Created once for an account: the root key of everything that it stores. */
export const createAccountKey = (): Bytes => createKey()

/** Wraps the account key: 60 bytes as base64url, stored on the server. */
export async function wrapAccountKey({
  accountKey,
  ...context
}: AccountKeyContext & { accountKey: Uint8Array }): Promise<string> {
  const aad = accountKeyAad(context)
  const plain = requireSecret(accountKey)
  return toBase64url(await seal({ key: context.keyEncryptionKey, plain, aad }))
}

/** Throws `wrong-key` for another password, user or key version: the tag does not distinguish them. */
export async function unwrapAccountKey({
  wrappedKey,
  ...context
}: AccountKeyContext & { wrappedKey: string }): Promise<Bytes> {
  const sealed = fromBase64url(wrappedKey)
  if (sealed.length !== wrappedKeyBytes) throw malformed('A wrapped account key has 60 bytes')
  const accountKey = await open({ key: context.keyEncryptionKey, sealed, aad: accountKeyAad(context) })
  if (!accountKey) throw new CryptoError('wrong-key', 'The password does not open the account key')
  return requireSecret(accountKey)
}

function accountKeyAad({ userId, keyVersion }: AccountKeyContext): Bytes {
  if (!Number.isSafeInteger(keyVersion) || keyVersion < 0) throw malformed('A key version is a non-negative integer')
  return utf8(`${labels.accountKey}|${userIdText(userId)}|${keyVersion}`)
}
