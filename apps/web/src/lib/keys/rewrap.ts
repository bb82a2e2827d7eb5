import type { Call, CallOptions } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import { isUnanswered } from '@sallyport/client/connectivity'
import { ApiError } from '@sallyport/client/errors'
import { accountKeys } from '@sallyport/contract/account-keys'
import { type Bytes, wrapAccountKey } from '@sallyport/crypto'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { askAgain, requestTimeoutMs } from '../ask-again.ts'
import type { PasswordKeys } from './password-keys.ts'

interface RewrapInput {
  readonly call: Call
  readonly clock: Clock
  readonly userId: string
  readonly accountKey: Bytes
  readonly keyVersion: number
  /** The keys of the new password. */
  readonly keys: PasswordKeys
  /** Changes the credential on the server; until then the old password is valid. */
  readonly changeCredential: () => Promise<void>
  /** The sentence for a commit that the server could not be asked about. */
  readonly interrupted: string
}

/**
 * Changes the password of an account so that at any moment either the old or the new password opens it: stages a new
 * wrapping of the account key next to the current one, changes the credential, and only then removes the old wrapping.
 * After an interruption the next sign-in finds the slot that fits. Returns the number of lost files.
 */
export async function rewrap(input: RewrapInput): Promise<number> {
  const { call, clock, userId, accountKey, keyVersion, keys } = input
  const wrappedKey = await wrapAccountKey({ accountKey, keyEncryptionKey: keys.keyEncryptionKey, userId, keyVersion })
  const stage = async (options: CallOptions = {}): Promise<number> =>
    (await call(accountKeys.stageKeys, { body: { keyVersion, profile: keys.profile, wrappedKey } }, options)).slot
  const commit = async (slot: number, options: CallOptions = {}): Promise<number> =>
    (await call(accountKeys.commitKeys, { body: { slot } }, options)).lostFiles
  /** A commit renumbers the slots, so this looks for the wrapping itself, which another device may have removed. */
  const commitAgain = async (): Promise<number> => {
    const options = { timeoutMs: requestTimeoutMs }
    const { slots } = await call(accountKeys.keys, {}, options)
    const found = slots.find((slot) => slot.wrappedKey === wrappedKey)
    return commit(found?.slot ?? (await stage(options)), options)
  }

  const slot = await stage()
  await input.changeCredential()
  try {
    return await commit(slot)
  } catch (error) {
    // Another device completed a change of its own in between and removed the slot. The last password wins.
    if (error instanceof ApiError && error.code === 'KEYS_NOT_STAGED') return commit(await stage())
    if (!isUnanswered(error)) throw error
    return askAgain(clock, commitAgain).catch((cause) => {
      throw new UserFacingError(input.interrupted, { cause })
    })
  }
}
