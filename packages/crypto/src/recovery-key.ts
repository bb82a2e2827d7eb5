import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { fromCrockfordBase32, toCrockfordBase32 } from './crockford-base32.ts'
import { CryptoError, malformed } from './errors.ts'
import { open, seal } from './gcm.ts'
import { sha256 } from './hash.ts'
import { deriveAesKey, importRoot } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'
import { sealingOverheadBytes } from './sizes.ts'
import { userIdBytes, userIdText } from './user-id.ts'

interface Recovery {
  readonly recoveryKey: Uint8Array
  readonly userId: string
  /** Of the account key that is wrapped. */
  readonly keyVersion: number
}

interface Recovered {
  readonly accountKey: Bytes
  /** False for a wrapping made before key versions were bound: the version is then only the server's word. */
  readonly isBound: boolean
}

const checkBytes = 3
const groupLength = 4
const letters = ((keyBytes + checkBytes) * 8) / 5
const nothing = new Uint8Array(0)

export const createRecoveryKey = (): Bytes => createKey()

/** Fourteen groups of four, to be printed or written down. */
export async function encodeRecoveryKey(recoveryKey: Uint8Array): Promise<string> {
  const key = requireSecret(recoveryKey)
  const text = toCrockfordBase32(concatBytes(key, await checkOf(key)))
  return Array.from({ length: letters / groupLength }, (_, group) =>
    text.slice(group * groupLength, (group + 1) * groupLength),
  ).join('-')
}

/** Forgives how it was typed, but notices every slip: `truncated` when letters are missing, else `malformed`. */
export async function decodeRecoveryKey(text: string): Promise<Bytes> {
  const typedLetters = text.replace(/[\s-]/g, '').length
  if (typedLetters < letters) throw new CryptoError('truncated', 'The recovery key is incomplete')
  if (typedLetters > letters) throw malformed('The recovery key is too long')
  const bytes = fromCrockfordBase32(text)
  const key = bytes.slice(0, keyBytes)
  if (!equalBytes(bytes.subarray(keyBytes), await checkOf(key))) throw malformed('The recovery key is mistyped')
  return requireSecret(key)
}

/** A second wrapping of the account key, for the day the password is forgotten. Bound to the user and the key version. */
export async function wrapForRecovery({ accountKey, ...by }: Recovery & { accountKey: Uint8Array }): Promise<string> {
  const plain = requireSecret(accountKey)
  const key = await wrappingKey(by, labels.recoveryBound)
  return toBase64url(await seal({ key, plain, associated: boundTo(by) }))
}

/** Fails with `wrong-key` when it is the recovery key of another account, of another key version or of an earlier time. */
export async function unwrapFromRecovery({ wrappedKey, ...by }: Recovery & { wrappedKey: string }): Promise<Recovered> {
  const sealed = fromBase64url(wrappedKey)
  if (sealed.length !== keyBytes + sealingOverheadBytes) throw malformed('A wrapped account key has 60 bytes')
  const bound = await open({ key: await wrappingKey(by, labels.recoveryBound), sealed, associated: boundTo(by) })
  // Both versions have 60 bytes. Their keys differ, so that no wrapping opens as one of the other version.
  const opened = bound ?? (await open({ key: await wrappingKey(by, labels.recovery), sealed, associated: nothing }))
  if (!opened) throw new CryptoError('wrong-key', 'The recovery key does not open the account key')
  return { accountKey: requireSecret(opened), isBound: bound !== null }
}

const wrappingKey = async ({ recoveryKey, userId }: Recovery, label: string): Promise<CryptoKey> =>
  deriveAesKey({ from: await importRoot(recoveryKey), salt: userIdBytes(userId), info: utf8(label) })

function boundTo({ userId, keyVersion }: Recovery): Bytes {
  if (!Number.isSafeInteger(keyVersion) || keyVersion < 0) throw malformed('A key version is a whole number')
  return utf8(`${labels.recoveryBound}|${userIdText(userId)}|${keyVersion}`)
}

const checkOf = async (key: Bytes): Promise<Bytes> =>
  (await sha256(concatBytes(utf8(labels.recoveryCheck), key))).subarray(0, checkBytes)
