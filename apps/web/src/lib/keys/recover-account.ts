import type { Clock } from '@sallyport/client/clock'
import { accountKeys } from '@sallyport/contract/account-keys'
import { ignore } from '@sallyport/contract/ignore'
import { type Bytes, createAccountKey, findRecoveryKey, unwrapFromRecovery, wrapForRecovery } from '@sallyport/crypto'
import { keyStrings } from '#/strings/account/keys.ts'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import type { AccountIdentifier } from './account-identifier.ts'
import { createFirstAccountKey } from './account-key.ts'
import { changeOrAsk, type LostAnswerStrings } from './change-or-ask.ts'
import { requireKeyVersion, storeKeyVersion } from './key-versions.ts'
import { currentProfile, storeProfile } from './login-profile.ts'
import {
  derivePasswordKeys,
  encodeKeys,
  getKdfParams,
  isWrongKey,
  type KeyDerivationDeps,
  type PasswordKeys,
} from './password-keys.ts'
import { rewrap } from './rewrap.ts'
import type { EncodedKeys } from './stored-keys.ts'

/** `call` is authenticated by the auth session of the recovery email. */
export interface RecoverAccountDeps extends KeyDerivationDeps {
  readonly clock: Clock
  /** Replaces the forgotten login secret on the server. */
  readonly changeCredential: (credential: string) => Promise<void>
}

interface RecoverAccountInput {
  readonly userId: string
  readonly identifier: AccountIdentifier
  /** The new password. */
  readonly password: string
}

export interface RecoveredAccount {
  readonly keys: EncodedKeys
  /** Number of files that can no longer be decrypted. */
  readonly lostFiles: number
}

const strings = (): LostAnswerStrings => ({
  unchanged: setPasswordStrings.notSet,
  interrupted: setPasswordStrings.interrupted,
})

/** Sets a new password with the recovery key; all data stays readable. Rejects with a user-facing message. */
export async function recoverWithRecoveryKey(
  deps: RecoverAccountDeps,
  input: RecoverAccountInput & { readonly recoveryKey: string },
): Promise<RecoveredAccount> {
  const recoveryKey = await findRecoveryKey(input.recoveryKey).catch(() => {
    throw new UserFacingError(keyStrings.recoveryMistyped)
  })
  const { recovery, slots } = await deps.call(accountKeys.keys, {})
  if (!recovery) throw new UserFacingError(keyStrings.recoveryMissing)
  const { userId } = input
  const { wrappedKey, keyVersion } = recovery
  requireKeyVersion(userId, keyVersion, deps.storage)
  if (slots.some((slot) => slot.keyVersion > keyVersion)) throw new UserFacingError(keyStrings.olderKey)
  const recoveryBinding = { recoveryKey, userId, keyVersion }
  const { accountKey, isBound } = await unwrapFromRecovery({ ...recoveryBinding, wrappedKey }).catch(
    throwRecoveryKeyError,
  )
  const recovered = await rewrapForPassword(deps, input, { accountKey, keyVersion })
  // The recovery key stays the same; only its wrapping is upgraded.
  if (!isBound)
    await bindRecoveryWrapping(deps, { ...recoveryBinding, accountKey }).catch((error) =>
      ignore(error, 'the old wrapping still opens'),
    )
  return recovered
}

interface RecoveryWrapping {
  readonly recoveryKey: Bytes
  readonly userId: string
  readonly keyVersion: number
  readonly accountKey: Bytes
}

/** Replaces a version 1 wrapping by one that is bound to the key version. */
async function bindRecoveryWrapping({ call }: RecoverAccountDeps, wrapping: RecoveryWrapping): Promise<void> {
  const { keyVersion } = wrapping
  await call(accountKeys.saveRecoveryKey, { body: { keyVersion, wrappedKey: await wrapForRecovery(wrapping) } })
}

/** Sets a new password and a new account key: data encrypted with the earlier key is lost for good. */
export async function recoverWithoutKey(
  deps: RecoverAccountDeps,
  input: RecoverAccountInput,
): Promise<RecoveredAccount> {
  const { slots } = await deps.call(accountKeys.keys, {})
  const [currentSlot] = slots
  requireKeyVersion(input.userId, currentSlot?.keyVersion ?? 0, deps.storage)
  if (!currentSlot) return createKeysForPassword(deps, input)
  return rewrapForPassword(deps, input, { accountKey: createAccountKey(), keyVersion: currentSlot.keyVersion + 1 })
}

async function rewrapForPassword(
  deps: RecoverAccountDeps,
  input: RecoverAccountInput,
  { accountKey, keyVersion }: { readonly accountKey: Bytes; readonly keyVersion: number },
): Promise<RecoveredAccount> {
  const { userId } = input
  const keys = await derivePasswordKeysFor(deps, input)
  const lostFiles = await rewrap({
    call: deps.call,
    clock: deps.clock,
    userId,
    accountKey,
    keyVersion,
    keys,
    changeCredential: () => changeForgotten(deps, keys.credential),
    interrupted: strings().interrupted,
  })
  storeKeyVersion(userId, keyVersion, deps.storage)
  return { keys: encodeKeys({ userId, masterKey: keys.masterKey, accountKey }), lostFiles }
}

/** Sets the password of an account that has no keys yet, so no data is lost. */
async function createKeysForPassword(deps: RecoverAccountDeps, input: RecoverAccountInput): Promise<RecoveredAccount> {
  const { userId } = input
  const { credential, masterKey, keyEncryptionKey, profile } = await derivePasswordKeysFor(deps, input)
  await changeForgotten(deps, credential)
  const accountKey = await createFirstAccountKey({
    call: deps.call,
    storage: deps.storage,
    userId,
    keyEncryptionKey,
    profile,
  })
  return { keys: encodeKeys({ userId, masterKey, accountKey }), lostFiles: 0 }
}

const changeForgotten = (deps: RecoverAccountDeps, credential: string): Promise<void> =>
  changeOrAsk(deps, {
    change: () => deps.changeCredential(credential),
    next: credential,
    current: null,
    strings: strings(),
  })

async function derivePasswordKeysFor(
  deps: RecoverAccountDeps,
  { userId, identifier, password }: RecoverAccountInput,
): Promise<PasswordKeys> {
  const { salt } = await getKdfParams(deps, identifier)
  const keys = await derivePasswordKeys(deps, { password, userId, salt, profile: currentProfile })
  await storeProfile(keys.profile, identifier, deps.storage)
  return keys
}

function throwRecoveryKeyError(error: unknown): never {
  throw isWrongKey(error) ? new UserFacingError(keyStrings.recoveryWrong, { cause: error }) : error
}
