import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { fromCrockfordBase32, toCrockfordBase32 } from './crockford-base32.ts'
import { CryptoError, malformed } from './errors.ts'
import { open } from './gcm.ts'
import { seal } from './gcm-seal.ts'
import { sha256 } from './hash.ts'
import { deriveAesKey, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'
import { sealingOverheadBytes } from './sizes.ts'
import { userIdBytes, userIdText } from './user-id.ts'

interface RecoveryContext {
  readonly recoveryKey: Uint8Array
  readonly userId: string
  /** The version of the account key that is wrapped. */
  readonly keyVersion: number
}

interface UnwrappedAccountKey {
  readonly accountKey: Bytes
  /** False for a wrapping of version 1, which is not bound to a key version: the version is then unauthenticated. */
  readonly isBound: boolean
}

const checkBytes = 3
const groupLength = 4
/** The letters of a recovery key, without its hyphens. */
export const recoveryKeyCharacters = ((keyBytes + checkBytes) * 8) / 5
const noAad = new Uint8Array(0)

export const createRecoveryKey = (): Bytes => createKey()

/** Encodes a key as fourteen groups of four characters, to be printed or written down. */
export async function encodeRecoveryKey(recoveryKey: Uint8Array): Promise<string> {
  const key = requireSecret(recoveryKey)
  const text = toCrockfordBase32(concatBytes(key, await checksumOf(key)))
  return Array.from({ length: recoveryKeyCharacters / groupLength }, (_, group) =>
    text.slice(group * groupLength, (group + 1) * groupLength),
  ).join('-')
}

/**
 * Tolerates case, spaces and look-alike characters, but detects typing errors: throws `truncated` for missing
 * characters, otherwise `malformed`.
 */
export async function decodeRecoveryKey(text: string): Promise<Bytes> {
  const typedLetters = text.replace(/[\s-]/g, '').length
  if (typedLetters < recoveryKeyCharacters) throw new CryptoError('truncated', 'The recovery key is incomplete')
  if (typedLetters > recoveryKeyCharacters) throw malformed('The recovery key is too long')
  const bytes = fromCrockfordBase32(text)
  const key = bytes.slice(0, keyBytes)
  if (!equalBytes(bytes.subarray(keyBytes), await checksumOf(key))) throw malformed('The recovery key is mistyped')
  return requireSecret(key)
}

/** Wraps the account key for the case of a forgotten password. Bound to the user and the key version. */
export async function wrapForRecovery({
  accountKey,
  ...context
}: RecoveryContext & { accountKey: Uint8Array }): Promise<string> {
  const plain = requireSecret(accountKey)
  const key = await deriveWrappingKey(context, labels.recoveryBound)
  return toBase64url(await seal({ key, plain, aad: recoveryAad(context) }))
}

/** Throws `wrong-key` for the recovery key of another account or key version, and for a replaced one. */
export async function unwrapFromRecovery({
  wrappedKey,
  ...context
}: RecoveryContext & { wrappedKey: string }): Promise<UnwrappedAccountKey> {
  const sealed = fromBase64url(wrappedKey)
  if (sealed.length !== keyBytes + sealingOverheadBytes) throw malformed('A wrapped account key has 60 bytes')
  const bound = await open({
    key: await deriveWrappingKey(context, labels.recoveryBound),
    sealed,
    aad: recoveryAad(context),
  })
  // Both versions have 60 bytes. Their keys differ, so a wrapping of one version does not open as the other.
  const opened = bound ?? (await open({ key: await deriveWrappingKey(context, labels.recovery), sealed, aad: noAad }))
  if (!opened) throw new CryptoError('wrong-key', 'The recovery key does not open the account key')
  return { accountKey: requireSecret(opened), isBound: bound !== null }
}

const deriveWrappingKey = async ({ recoveryKey, userId }: RecoveryContext, label: string): Promise<CryptoKey> =>
  deriveAesKey({ from: await importRootKey(recoveryKey), salt: userIdBytes(userId), info: utf8(label) })

function recoveryAad({ userId, keyVersion }: RecoveryContext): Bytes {
  if (!Number.isSafeInteger(keyVersion) || keyVersion < 0) throw malformed('A key version is a non-negative integer')
  return utf8(`${labels.recoveryBound}|${userIdText(userId)}|${keyVersion}`)
}

const checksumOf = async (key: Bytes): Promise<Bytes> =>
  (await sha256(concatBytes(utf8(labels.recoveryCheck), key))).subarray(0, checkBytes)
