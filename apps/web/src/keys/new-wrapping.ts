import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { type Bytes, wrapAccountKey } from '@sallyport/crypto'
import type { PasswordKeys } from './password-keys.ts'

interface NewWrapping {
  readonly call: Call
  readonly userId: string
  readonly accountKey: Bytes
  readonly keyVersion: number
  /** Of the password that is to open it. */
  readonly keys: PasswordKeys
  /** Has the server take the new password; until it has, the old one holds. */
  readonly changeCredential: () => Promise<void>
}

/**
 * Gives an account another password without a moment in which neither opens it: the account key is laid beside the
 * present wrapping first, then the server takes the password, and only then the old wrapping goes. Whoever is
 * interrupted finds the slot that fits at the next sign-in. Answers how many files are lost.
 */
export async function rewrap(wrapping: NewWrapping): Promise<number> {
  const { call, userId, accountKey, keyVersion, keys } = wrapping
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey: keys.keyEncryptionKey, userId, keyVersion })
  const stage = async (): Promise<number> =>
    (await call(accountKeys.stageKeys, { body: { keyVersion, profile: keys.profile, wrappedKey } })).slot
  const commit = async (slot: number): Promise<number> =>
    (await call(accountKeys.commitKeys, { body: { slot } })).lostFiles

  const slot = await stage()
  await wrapping.changeCredential()
  try {
    return await commit(slot)
  } catch (error) {
    // Another device finished a change of its own in between and took the slot away. The later password counts.
    if (error instanceof ApiError && error.code === 'KEYS_NOT_STAGED') return commit(await stage())
    throw error
  }
}
