import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys, type KeySlot } from '@sallyport/contract/account-keys'
import { type Bytes, CryptoError, createAccountKey, unwrapAccountKey, wrapAccountKey } from '@sallyport/crypto'
import { rememberKeyVersion, requireKeyVersion } from './key-versions.ts'

interface Opening {
  readonly call: Call
  readonly userId: string
  /** Made from the password; what it does not open was wrapped under another. */
  readonly keyEncryptionKey: CryptoKey
  /** Where the highest key version of each user is remembered. */
  readonly storage: Storage
}

interface Making extends Opening {
  /** How the password was stretched. */
  readonly profile: number
}

/** The account key, and where it lay. */
export interface OpenedKey {
  readonly accountKey: Bytes
  readonly slot: number
  readonly keyVersion: number
}

const slotInUse = 1

/**
 * The account key for somebody whom the server has just let in with this very password; made now where the account has
 * none yet. Fails with a `wrong-key` CryptoError when neither a slot nor a previous key opens.
 */
export async function openOrMakeAccountKey(making: Making): Promise<Bytes> {
  const slots = await fetchSlots(making.call)
  if (slots.length === 0) {
    requireKeyVersion(making.userId, 0, making.storage)
    return makeAccountKey(making)
  }
  const opened = await openSlots(making, slots).catch(nullForWrongKey)
  if (!opened) return restorePreviousKey(making)
  const { accountKey, slot } = opened
  // A password change was interrupted after the server had taken the new password. It is finished here, or next time.
  if (slot !== slotInUse) await making.call(accountKeys.commitKeys, { body: { slot } }).catch(() => undefined)
  return accountKey
}

/**
 * The account key from a wrapping that was replaced within the last weeks, which the server then takes into use again:
 * the present one does not open with the password that the server takes, so it is not the owner's. Needs a sign-in or a
 * password that the server has just checked.
 */
export async function restorePreviousKey({ call, userId, keyEncryptionKey, storage }: Opening): Promise<Bytes> {
  const { previous } = await call(accountKeys.previousKeys, {})
  for (const { id, wrappedKey, keyVersion } of previous) {
    const accountKey = await unwrapAccountKey({ wrappedKey, keyEncryptionKey, userId, keyVersion }).catch(
      nullForWrongKey,
    )
    if (!accountKey) continue
    requireKeyVersion(userId, keyVersion, storage)
    rememberKeyVersion(userId, keyVersion, storage)
    // Where this fails it is tried again at the next sign-in; the key is open either way.
    await call(accountKeys.restoreKeys, { body: { id } }).catch(() => undefined)
    return accountKey
  }
  throw new CryptoError('wrong-key', 'No key of the account opens with this password')
}

/** The account key as the server keeps it, wrapped, opened with the first slot that fits. Changes nothing there. */
export async function openAccountKey(opening: Opening): Promise<OpenedKey> {
  return openSlots(opening, await fetchSlots(opening.call))
}

const fetchSlots = async (call: Call): Promise<readonly KeySlot[]> => (await call(accountKeys.keys, {})).slots

async function openSlots(
  { userId, keyEncryptionKey, storage }: Opening,
  slots: readonly KeySlot[],
): Promise<OpenedKey> {
  for (const { slot, wrappedKey, keyVersion } of slots) {
    const accountKey = await unwrapAccountKey({ wrappedKey, keyEncryptionKey, userId, keyVersion }).catch(
      nullForWrongKey,
    )
    if (!accountKey) continue
    requireKeyVersion(userId, keyVersion, storage)
    rememberKeyVersion(userId, keyVersion, storage)
    return { accountKey, slot, keyVersion }
  }
  throw new CryptoError('wrong-key', 'No slot opens with this password')
}

/** Makes the account's first key; where another device was faster, its key counts. */
export async function makeAccountKey({ call, userId, keyEncryptionKey, profile, storage }: Making): Promise<Bytes> {
  const keyVersion = 1
  const accountKey = createAccountKey()
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion })
  try {
    await call(accountKeys.createKeys, {
      headers: { 'if-none-match': '*' },
      body: { keyVersion, profile, wrappedKey },
    })
    rememberKeyVersion(userId, keyVersion, storage)
    return accountKey
  } catch (error) {
    if (!hasStatus(error, 412)) throw error
    return (await openAccountKey({ call, userId, keyEncryptionKey, storage })).accountKey
  }
}

function nullForWrongKey(error: unknown): null {
  if (error instanceof CryptoError && error.code === 'wrong-key') return null
  throw error
}

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status
