import type { Call } from '@sallyport/client/call'
import { accounts } from '@sallyport/contract/accounts'
import {
  type Bytes,
  CryptoError,
  type DerivationProfile,
  deriveKeyEncryptionKey,
  fromBase64url,
  type LoginSecrets,
  toBase64url,
} from '@sallyport/crypto'
import type { AccountIdentifier } from './account-identifier.ts'
import { acceptableProfiles, hasWeakerProfile, knownProfiles, storedProfile } from './login-profile.ts'
import type { EncodedKeys } from './stored-keys.ts'

/** Dependencies of the password key derivation. */
export interface KeyDerivationDeps {
  readonly call: Call
  /** Runs the password KDF in a worker. */
  readonly deriveSecrets: (from: {
    readonly password: string
    readonly salt: Uint8Array
    readonly profile: DerivationProfile
  }) => Promise<LoginSecrets>
  /** Derives the master key in a worker. */
  readonly deriveMasterKey: (from: { readonly password: string; readonly userId: string }) => Promise<Bytes>
  /** Stores the strongest profile that this device has used for each account. */
  readonly storage: Storage
}

export interface KdfParams {
  readonly salt: Bytes
  /** In the server's order; two only while an account is migrated from one to the next. */
  readonly profiles: readonly DerivationProfile[]
}

/** All keys that are derived from a password for one account. */
export interface PasswordKeys {
  readonly profile: DerivationProfile
  /** Sent in place of the password. */
  readonly credential: string
  readonly masterKey: Bytes
  readonly keyEncryptionKey: CryptoKey
}

/** Fetches the KDF parameters to unwrap keys with. A credential derived with them must not be sent unchecked. */
export async function getKdfParams(
  { call }: Pick<KeyDerivationDeps, 'call'>,
  identifier: AccountIdentifier,
): Promise<KdfParams> {
  const { salt, profiles } = await call(accounts.prelogin, { body: identifier })
  return { salt: fromBase64url(salt), profiles: knownProfiles(profiles) }
}

export interface SignInKdfParams extends KdfParams {
  /** The user's consent would allow a weaker profile as well. */
  readonly hasWeakerProfile: boolean
}

/** Fetches the KDF parameters for signing in, which sends a credential: only profiles that this device accepts. */
export async function getSignInKdfParams(
  { call, storage }: Pick<KeyDerivationDeps, 'call' | 'storage'>,
  {
    holder: identifier,
    mayUseWeaker: allowsWeakerProfile,
  }: { readonly holder: AccountIdentifier; readonly mayUseWeaker: boolean },
): Promise<SignInKdfParams> {
  const { salt, profiles } = await call(accounts.prelogin, { body: identifier })
  const remembered = await storedProfile(identifier, storage)
  return {
    salt: fromBase64url(salt),
    profiles: acceptableProfiles(profiles, remembered, { allowsWeakerProfile }),
    hasWeakerProfile: !allowsWeakerProfile && hasWeakerProfile(profiles, remembered),
  }
}

interface DerivePasswordKeysInput {
  readonly password: string
  readonly userId: string
  readonly profile: DerivationProfile
}

/** Derives the remaining keys once the KDF has produced the login secrets. */
export async function completePasswordKeys(
  { deriveMasterKey }: Pick<KeyDerivationDeps, 'deriveMasterKey'>,
  { password, userId, profile, secrets }: DerivePasswordKeysInput & { readonly secrets: LoginSecrets },
): Promise<PasswordKeys> {
  const { credential, wrapSecret } = secrets
  const masterKey = await deriveMasterKey({ password, userId })
  return {
    profile,
    credential,
    masterKey,
    keyEncryptionKey: await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId }),
  }
}

export async function derivePasswordKeys(
  deps: Pick<KeyDerivationDeps, 'deriveSecrets' | 'deriveMasterKey'>,
  { salt, ...input }: DerivePasswordKeysInput & { readonly salt: Uint8Array },
): Promise<PasswordKeys> {
  const { password, profile } = input
  return completePasswordKeys(deps, { ...input, secrets: await deps.deriveSecrets({ password, salt, profile }) })
}

interface AccountKeys {
  readonly userId: string
  readonly masterKey: Bytes
  readonly accountKey: Bytes
}

export const encodeKeys = ({ userId, masterKey, accountKey }: AccountKeys): EncodedKeys => ({
  userId,
  masterKey: toBase64url(masterKey),
  accountKey: toBase64url(accountKey),
})

/** True for the error of a password, recovery key or remembered device that does not match. */
export const isWrongKey = (error: unknown): boolean => error instanceof CryptoError && error.code === 'wrong-key'
