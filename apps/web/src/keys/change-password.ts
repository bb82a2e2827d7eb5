import { type OpenedKey, openAccountKey } from './account-key.ts'
import { confirmCredential } from './confirm-password.ts'
import type { Holder } from './holder.ts'
import type { KeptKeys } from './kept-keys.ts'
import { newProfile, rememberProfile } from './login-profile.ts'
import { rewrap } from './new-wrapping.ts'
import {
  askForWays,
  type DeriveDeps,
  derivePasswordKeys,
  isWrongKey,
  keysAsText,
  type PasswordKeys,
  type Ways,
} from './password-keys.ts'

interface CredentialChange {
  readonly credential: string
  /** What it was until now; the server asks for it. */
  readonly current: string
}

export interface ChangePasswordDeps extends DeriveDeps {
  /** Has the server take another login secret, which ends every other sign-in of the account. */
  readonly changeCredential: (change: CredentialChange) => Promise<void>
}

interface Change {
  readonly userId: string
  readonly holder: Holder
  readonly current: string
  readonly next: string
}

/** Sets another password; the salt and the account key stay. Throws a `wrong-key` CryptoError when the current one is wrong. */
export async function changePassword(deps: ChangePasswordDeps, change: Change): Promise<KeptKeys> {
  const { userId, next } = change
  const ways = await askForWays(deps, change.holder)
  const present = await openWith(deps, change, ways)
  await confirmCredential(deps, present.keys.credential)
  const profile = newProfile
  const keys = await derivePasswordKeys(deps, { password: next, userId, salt: ways.salt, profile })
  const { accountKey, keyVersion } = present.opened
  await rewrap({
    call: deps.call,
    userId,
    accountKey,
    keyVersion,
    keys,
    changeCredential: () => deps.changeCredential({ credential: keys.credential, current: present.keys.credential }),
  })
  await rememberProfile(profile, change.holder, deps.storage)
  return keysAsText({ userId, masterKey: keys.masterKey, accountKey })
}

/** Tries the password in each way that the server names for it. */
async function openWith(
  deps: ChangePasswordDeps,
  { userId, current }: Change,
  { salt, profiles }: Ways,
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
  throw new Error('The server names no way to derive')
}
