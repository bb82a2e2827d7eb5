import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { type Bytes, wrapAccountKey } from '@sallyport/crypto'
import type { PasswordKeys } from './password-keys.ts'

interface RewrapInput {
  readonly call: Call
  readonly userId: string
  readonly accountKey: Bytes
  readonly keyVersion: number
  /** The keys of the new password. */
  readonly keys: PasswordKeys
  /** Changes the credential on the server; until then the old password is valid. */
  readonly changeCredential: () => Promise<void>
}

/**
 * Changes the password of an account so that at any moment either the old or the new password opens it: stages a new
 * wrapping of the account key next to the current one, changes the credential, and only then removes the old wrapping.
 * After an interruption the next sign-in finds the slot that fits. Returns the number of lost files.
 */
export async function rewrap(input: RewrapInput): Promise<number> {
  const { call, userId, accountKey, keyVersion, keys } = input
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey: keys.keyEncryptionKey, userId, keyVersion })
  const stage = async (): Promise<number> =>
    (await call(accountKeys.stageKeys, { body: { keyVersion, profile: keys.profile, wrappedKey } })).slot
  const commit = async (slot: number): Promise<number> =>
    (await call(accountKeys.commitKeys, { body: { slot } })).lostFiles

  const slot = await stage()
  await input.changeCredential()
  try {
    return await commit(slot)
  } catch (error) {
    // Another device completed a change of its own in between and removed the slot. The last password wins.
    if (error instanceof ApiError && error.code === 'KEYS_NOT_STAGED') return commit(await stage())
    throw error
  }
}
