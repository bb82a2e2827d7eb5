import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys, type KeySlot } from '@sallyport/contract/account-keys'
import { ignore } from '@sallyport/contract/ignore'
import { type Bytes, CryptoError, createAccountKey, unwrapAccountKey, wrapAccountKey } from '@sallyport/crypto'
import { requireKeyVersion, storeKeyVersion } from './key-versions.ts'

interface OpenAccountKeyInput {
  readonly call: Call
  readonly userId: string
  /** Derived from the password; a slot that it does not unwrap belongs to another password. */
  readonly keyEncryptionKey: CryptoKey
  /** Stores the highest known key version of each user. */
  readonly storage: Storage
}

interface CreateAccountKeyInput extends OpenAccountKeyInput {
  /** The KDF profile of the password. */
  readonly profile: number
}

/** The account key and the slot it was unwrapped from. */
export interface OpenedKey {
  readonly accountKey: Bytes
  readonly slot: number
  readonly keyVersion: number
}

const currentSlot = 1

/**
 * Returns the account key of a user whom the server has just authenticated with this password; creates it if the account
 * has none yet. Rejects with a `wrong-key` CryptoError if neither a slot nor a previous key can be unwrapped.
 */
export async function openOrCreateAccountKey(input: CreateAccountKeyInput): Promise<Bytes> {
  const slots = await fetchSlots(input.call)
  if (slots.length === 0) {
    requireKeyVersion(input.userId, 0, input.storage)
    return createFirstAccountKey(input)
  }
  const opened = await openSlots(input, slots).catch(nullIfWrongKey)
  if (!opened) return restorePreviousKey(input)
  const { accountKey, slot } = opened
  // A password change was interrupted after the server had accepted the new password. Complete it now, or next time.
  if (slot !== currentSlot)
    await input
      .call(accountKeys.commitKeys, { body: { slot } })
      .catch((error) => ignore(error, 'the next sign-in commits it'))
  return accountKey
}

/**
 * Unwraps the account key from a wrapping that was replaced within the last weeks and has the server restore it: the
 * current wrapping does not open with the password that the server accepts, so it is not the owner's. Call it only after
 * the server has verified the password.
 */
export async function restorePreviousKey({
  call,
  userId,
  keyEncryptionKey,
  storage,
}: OpenAccountKeyInput): Promise<Bytes> {
  const { previous } = await call(accountKeys.previousKeys, {})
  for (const { id, wrappedKey, keyVersion } of previous) {
    const accountKey = await unwrapAccountKey({ wrappedKey, keyEncryptionKey, userId, keyVersion }).catch(
      nullIfWrongKey,
    )
    if (!accountKey) continue
    requireKeyVersion(userId, keyVersion, storage)
    storeKeyVersion(userId, keyVersion, storage)
    await call(accountKeys.restoreKeys, { body: { id } }).catch((error) =>
      ignore(error, 'the next sign-in restores it'),
    )
    return accountKey
  }
  throw new CryptoError('wrong-key', 'No key of the account opens with this password')
}

/** Unwraps the account key from the first slot that fits. Changes nothing on the server. */
export async function openAccountKey(input: OpenAccountKeyInput): Promise<OpenedKey> {
  return openSlots(input, await fetchSlots(input.call))
}

const fetchSlots = async (call: Call): Promise<readonly KeySlot[]> => (await call(accountKeys.keys, {})).slots

async function openSlots(
  { userId, keyEncryptionKey, storage }: OpenAccountKeyInput,
  slots: readonly KeySlot[],
): Promise<OpenedKey> {
  for (const { slot, wrappedKey, keyVersion } of slots) {
    const accountKey = await unwrapAccountKey({ wrappedKey, keyEncryptionKey, userId, keyVersion }).catch(
      nullIfWrongKey,
    )
    if (!accountKey) continue
    requireKeyVersion(userId, keyVersion, storage)
    storeKeyVersion(userId, keyVersion, storage)
    return { accountKey, slot, keyVersion }
  }
  throw new CryptoError('wrong-key', 'No slot opens with this password')
}

/** Creates the account's first key. If another device was faster, returns that device's key. */
export async function createFirstAccountKey({
  call,
  userId,
  keyEncryptionKey,
  profile,
  storage,
}: CreateAccountKeyInput): Promise<Bytes> {
  const keyVersion = 1
  const accountKey = createAccountKey()
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion })
  try {
    await call(accountKeys.createKeys, {
      headers: { 'if-none-match': '*' },
      body: { keyVersion, profile, wrappedKey },
    })
    storeKeyVersion(userId, keyVersion, storage)
    return accountKey
  } catch (error) {
    if (!hasStatus(error, 412)) throw error
    return (await openAccountKey({ call, userId, keyEncryptionKey, storage })).accountKey
  }
}

function nullIfWrongKey(error: unknown): null {
  if (error instanceof CryptoError && error.code === 'wrong-key') return null
  throw error
}

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status
