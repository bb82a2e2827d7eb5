import type { Clock } from '@sallyport/client/clock'
import { securityStrings } from '#/strings/account/security.ts'
import type { AccountIdentifier } from './account-identifier.ts'
import { type OpenedKey, openAccountKey } from './account-key.ts'
import { changeOrAsk, type LostAnswerStrings } from './change-or-ask.ts'
import { confirmCredential } from './confirm-password.ts'
import { currentProfile, storeProfile } from './login-profile.ts'
import {
  derivePasswordKeys,
  encodeKeys,
  getKdfParams,
  isWrongKey,
  type KdfParams,
  type KeyDerivationDeps,
  type PasswordKeys,
} from './password-keys.ts'
import { rewrap } from './rewrap.ts'
import type { EncodedKeys } from './stored-keys.ts'

interface CredentialChange {
  readonly credential: string
  /** The previous credential, which the server requires. */
  readonly current: string
}

export interface ChangePasswordDeps extends KeyDerivationDeps {
  readonly clock: Clock
  /** Replaces the login secret on the server, which ends all other auth sessions of the account. */
  readonly changeCredential: (change: CredentialChange) => Promise<void>
}

interface ChangePasswordInput {
  readonly userId: string
  readonly identifier: AccountIdentifier
  readonly current: string
  readonly next: string
}

const strings = (): LostAnswerStrings => ({
  unchanged: securityStrings.notChanged,
  interrupted: securityStrings.changeInterrupted,
})

/** Changes the password; the salt and the account key stay. Throws a `wrong-key` CryptoError if the current one is wrong. */
export async function changePassword(deps: ChangePasswordDeps, input: ChangePasswordInput): Promise<EncodedKeys> {
  const { userId, next } = input
  const kdfParams = await getKdfParams(deps, input.identifier)
  const current = await openWithCurrentPassword(deps, input, kdfParams)
  await confirmCredential(deps, current.keys.credential)
  const profile = currentProfile
  const keys = await derivePasswordKeys(deps, { password: next, userId, salt: kdfParams.salt, profile })
  const { accountKey, keyVersion } = current.opened
  await rewrap({
    call: deps.call,
    clock: deps.clock,
    userId,
    accountKey,
    keyVersion,
    keys,
    changeCredential: () =>
      changeOrAsk(deps, {
        change: () => deps.changeCredential({ credential: keys.credential, current: current.keys.credential }),
        next: keys.credential,
        current: current.keys.credential,
        strings: strings(),
      }),
    interrupted: strings().interrupted,
  })
  await storeProfile(profile, input.identifier, deps.storage)
  return encodeKeys({ userId, masterKey: keys.masterKey, accountKey })
}

/** Tries the current password with each profile that the server offers. */
async function openWithCurrentPassword(
  deps: ChangePasswordDeps,
  { userId, current }: ChangePasswordInput,
  { salt, profiles }: KdfParams,
): Promise<{ readonly keys: PasswordKeys; readonly opened: OpenedKey }> {
  for (const profile of profiles) {
    const keys = await derivePasswordKeys(deps, { password: current, userId, salt, profile })
    try {
      const { keyEncryptionKey } = keys
      const { call, storage } = deps
      return { keys, opened: await openAccountKey({ call, storage, userId, keyEncryptionKey }) }
    } catch (error) {
      if (profile === profiles.at(-1) || !isWrongKey(error)) throw error
    }
  }
  throw new Error('The server offers no KDF profile')
}
