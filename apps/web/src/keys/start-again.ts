import { accountKeys } from '@sallyport/contract/account-keys'
import { type Bytes, createAccountKey, decodeRecoveryKey, unwrapFromRecovery, wrapForRecovery } from '@sallyport/crypto'
import { SpokenError } from '#/api/failure.ts'
import { keyWords } from '#/words/keys.ts'
import { makeAccountKey } from './account-key.ts'
import type { Holder } from './holder.ts'
import type { KeptKeys } from './kept-keys.ts'
import { rememberKeyVersion, requireKeyVersion } from './key-versions.ts'
import { newProfile, rememberProfile } from './login-profile.ts'
import { rewrap } from './new-wrapping.ts'
import {
  askForWays,
  type DeriveDeps,
  derivePasswordKeys,
  isWrongKey,
  keysAsText,
  type PasswordKeys,
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
  const { recovery, slots } = await deps.call(accountKeys.keys, {})
  if (!recovery) throw new SpokenError(keyWords.recoveryMissing)
  const { userId } = forgotten
  const { wrappedKey, keyVersion } = recovery
  requireKeyVersion(userId, keyVersion, deps.storage)
  if (slots.some((slot) => slot.keyVersion > keyVersion)) throw new SpokenError(keyWords.earlierKey)
  const by = { recoveryKey, userId, keyVersion }
  const { accountKey, isBound } = await unwrapFromRecovery({ ...by, wrappedKey }).catch(sayWrongKey)
  const startedAgain = await wrapAgain(deps, forgotten, { accountKey, keyVersion })
  // The recovery key stays the same; without this its wrapping would go on as it is.
  if (!isBound) await bindRecovery(deps, { ...by, accountKey }).catch(() => undefined)
  return startedAgain
}

interface RecoveryBinding {
  readonly recoveryKey: Bytes
  readonly userId: string
  readonly keyVersion: number
  readonly accountKey: Bytes
}

/** Replaces a wrapping of version 1 by one that is bound to the key version. */
async function bindRecovery({ call }: StartAgainDeps, binding: RecoveryBinding): Promise<void> {
  const { keyVersion } = binding
  await call(accountKeys.saveRecoveryKey, { body: { keyVersion, wrappedKey: await wrapForRecovery(binding) } })
}

/** Sets a new password and makes a new account key: what the earlier one sealed stays closed for good. */
export async function startAgainWithoutKey(deps: StartAgainDeps, forgotten: ForgottenPassword): Promise<StartedAgain> {
  const { slots } = await deps.call(accountKeys.keys, {})
  const [inUse] = slots
  requireKeyVersion(forgotten.userId, inUse?.keyVersion ?? 0, deps.storage)
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
  rememberKeyVersion(userId, keyVersion, deps.storage)
  return { keys: keysAsText({ userId, masterKey: keys.masterKey, accountKey }), lostFiles }
}

/** For an account that has no keys yet: there is nothing to lose. */
async function begin(deps: StartAgainDeps, forgotten: ForgottenPassword): Promise<StartedAgain> {
  const { userId } = forgotten
  const { credential, masterKey, keyEncryptionKey, profile } = await keysOf(deps, forgotten)
  await deps.changeCredential(credential)
  const accountKey = await makeAccountKey({
    call: deps.call,
    storage: deps.storage,
    userId,
    keyEncryptionKey,
    profile,
  })
  return { keys: keysAsText({ userId, masterKey, accountKey }), lostFiles: 0 }
}

async function keysOf(deps: StartAgainDeps, { userId, holder, password }: ForgottenPassword): Promise<PasswordKeys> {
  const { salt } = await askForWays(deps, holder)
  const keys = await derivePasswordKeys(deps, { password, userId, salt, profile: newProfile })
  await rememberProfile(keys.profile, holder, deps.storage)
  return keys
}

function sayWrongKey(error: unknown): never {
  throw isWrongKey(error) ? new SpokenError(keyWords.recoveryWrong, { cause: error }) : error
}
