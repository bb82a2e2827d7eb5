import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys, type KeySlot } from '@sallyport/contract/account-keys'
import { type Bytes, CryptoError, createAccountKey, unwrapAccountKey, wrapAccountKey } from '@sallyport/crypto'

interface Opening {
  readonly call: Call
  readonly userId: string
  /** Made from the password; what it does not open was wrapped under another. */
  readonly keyEncryptionKey: CryptoKey
}

interface Making extends Opening {
  /** How the password was stretched. */
  readonly profile: number
}

/** The account key, made now where the account has none yet. Fails with a `wrong-key` CryptoError for another password. */
export async function openOrMakeAccountKey(making: Making): Promise<Bytes> {
  const slots = await fetchSlots(making.call)
  if (slots.length > 0) return openSlots(making, slots)
  try {
    return await makeAccountKey(making)
  } catch (error) {
    // Another device was faster; its key counts.
    if (hasStatus(error, 412)) return openAccountKey(making)
    throw error
  }
}

/** The account key as the server keeps it, wrapped, opened with the first slot that fits. */
export async function openAccountKey(opening: Opening): Promise<Bytes> {
  return openSlots(opening, await fetchSlots(opening.call))
}

const fetchSlots = async (call: Call): Promise<readonly KeySlot[]> => (await call(accountKeys.keys, {})).slots

async function openSlots({ userId, keyEncryptionKey }: Opening, slots: readonly KeySlot[]): Promise<Bytes> {
  for (const { wrappedKey, keyVersion } of slots) {
    const accountKey = await unwrapAccountKey({ wrappedKey, keyEncryptionKey, userId, keyVersion }).catch(
      nullForWrongKey,
    )
    if (accountKey) return accountKey
  }
  throw new CryptoError('wrong-key', 'No slot opens with this password')
}

async function makeAccountKey({ call, userId, keyEncryptionKey, profile }: Making): Promise<Bytes> {
  const keyVersion = 1
  const accountKey = createAccountKey()
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion })
  await call(accountKeys.createKeys, {
    headers: { 'if-none-match': '*' },
    body: { keyVersion, profile, wrappedKey },
  })
  return accountKey
}

function nullForWrongKey(error: unknown): null {
  if (error instanceof CryptoError && error.code === 'wrong-key') return null
  throw error
}

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status
