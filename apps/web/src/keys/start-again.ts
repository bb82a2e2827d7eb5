import { accountKeys } from '@sallyport/contract/account-keys'
import { type Bytes, createAccountKey, decodeRecoveryKey, unwrapFromRecovery } from '@sallyport/crypto'
import { SpokenError } from '#/api/failure.ts'
import { keyWords } from '#/words/keys.ts'
import { makeAccountKey } from './account-key.ts'
import type { KeptKeys } from './kept-keys.ts'
import { rememberProfile } from './login-profile.ts'
import { rewrap } from './new-wrapping.ts'
import {
  askForWays,
  type DeriveDeps,
  derivePasswordKeys,
  type Holder,
  isWrongKey,
  keysAsText,
  type PasswordKeys,
  strongest,
} from './password-keys.ts'

/** `call` speaks for the sign-in that the recovery mail has begun. */
export interface StartAgainDeps extends DeriveDeps {
  /** Has the server take another login secret in place of the forgotten one. */
  readonly changeCredential: (credential: string) => Promise<void>
}

interface ForgottenPassword {
  readonly userId: string
  readonly holder: Holder
  /** The new one. */
  readonly password: string
}

export interface StartedAgain {
  readonly keys: KeptKeys
  /** Files that nobody opens any more. */
  readonly lostFiles: number
}

/** Sets a new password with the help of the recovery key; everything stays readable. Fails with words for a person. */
export async function startAgainWithRecoveryKey(
  deps: StartAgainDeps,
  forgotten: ForgottenPassword & { readonly recoveryKey: string },
): Promise<StartedAgain> {
  const recoveryKey = await decodeRecoveryKey(forgotten.recoveryKey).catch(() => {
    throw new SpokenError(keyWords.recoveryMistyped)
  })
  const { recovery } = await deps.call(accountKeys.keys, {})
  if (!recovery) throw new SpokenError(keyWords.recoveryMissing)
  const { wrappedKey, keyVersion } = recovery
  const accountKey = await unwrapFromRecovery({ wrappedKey, recoveryKey, userId: forgotten.userId }).catch(sayWrongKey)
  return wrapAgain(deps, forgotten, { accountKey, keyVersion })
}

/** Sets a new password and makes a new account key: what the earlier one sealed stays closed for good. */
export async function startAgainWithoutKey(deps: StartAgainDeps, forgotten: ForgottenPassword): Promise<StartedAgain> {
  const { slots } = await deps.call(accountKeys.keys, {})
  const [inUse] = slots
  if (!inUse) return begin(deps, forgotten)
  return wrapAgain(deps, forgotten, { accountKey: createAccountKey(), keyVersion: inUse.keyVersion + 1 })
}

async function wrapAgain(
  deps: StartAgainDeps,
  forgotten: ForgottenPassword,
  { accountKey, keyVersion }: { readonly accountKey: Bytes; readonly keyVersion: number },
): Promise<StartedAgain> {
  const { userId } = forgotten
  const keys = await keysOf(deps, forgotten)
  const lostFiles = await rewrap({
    call: deps.call,
    userId,
    accountKey,
    keyVersion,
    keys,
    changeCredential: () => deps.changeCredential(keys.credential),
  })
  return { keys: keysAsText({ userId, masterKey: keys.masterKey, accountKey }), lostFiles }
}

/** For an account that has no keys yet: there is nothing to lose. */
async function begin(deps: StartAgainDeps, forgotten: ForgottenPassword): Promise<StartedAgain> {
  const { userId } = forgotten
  const { credential, masterKey, keyEncryptionKey, profile } = await keysOf(deps, forgotten)
  await deps.changeCredential(credential)
  const accountKey = await makeAccountKey({ call: deps.call, userId, keyEncryptionKey, profile })
  return { keys: keysAsText({ userId, masterKey, accountKey }), lostFiles: 0 }
}

async function keysOf(deps: StartAgainDeps, { userId, holder, password }: ForgottenPassword): Promise<PasswordKeys> {
  const { salt, profiles } = await askForWays(deps, holder)
  const keys = await derivePasswordKeys(deps, { password, userId, salt, profile: strongest(profiles) })
  rememberProfile(keys.profile, deps.storage)
  return keys
}

function sayWrongKey(error: unknown): never {
  throw isWrongKey(error) ? new SpokenError(keyWords.recoveryWrong, { cause: error }) : error
}
