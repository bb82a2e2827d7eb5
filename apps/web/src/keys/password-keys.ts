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
import type { Holder } from './holder.ts'
import type { KeptKeys } from './kept-keys.ts'
import { acceptableProfiles, hasWeakerProfile, knownProfiles, rememberedProfile } from './login-profile.ts'

/** What it takes to make keys from a password. */
export interface DeriveDeps {
  readonly call: Call
  /** Stretches the password away from the page's own thread. */
  readonly deriveSecrets: (from: {
    readonly password: string
    readonly salt: Uint8Array
    readonly profile: DerivationProfile
  }) => Promise<LoginSecrets>
  /** The same for the other secret of a password. */
  readonly deriveMasterKey: (from: { readonly password: string; readonly userId: string }) => Promise<Bytes>
  /** Where the strongest way to derive that this device has used for each account is remembered. */
  readonly storage: Storage
}

export interface Ways {
  readonly salt: Bytes
  /** In the server's order; two only while an account moves from one to the next. */
  readonly profiles: readonly DerivationProfile[]
}

/** Everything that a password makes for one account. */
export interface PasswordKeys {
  readonly profile: DerivationProfile
  /** Travels in place of the password. */
  readonly credential: string
  readonly masterKey: Bytes
  readonly keyEncryptionKey: CryptoKey
}

/** How this person's password may have been stretched, for opening what is here already. Nothing made so is sent as it is. */
export async function askForWays({ call }: Pick<DeriveDeps, 'call'>, holder: Holder): Promise<Ways> {
  const { salt, profiles } = await call(accounts.prelogin, { body: holder })
  return { salt: fromBase64url(salt), profiles: knownProfiles(profiles) }
}

export interface SignInProfiles extends Ways {
  /** The person's word would allow a weaker profile as well. */
  readonly hasWeaker: boolean
}

/** The same for signing in, which sends a credential: only what this device goes along with. */
export async function askForSignIn(
  { call, storage }: Pick<DeriveDeps, 'call' | 'storage'>,
  { holder, mayUseWeaker }: { readonly holder: Holder; readonly mayUseWeaker: boolean },
): Promise<SignInProfiles> {
  const { salt, profiles } = await call(accounts.prelogin, { body: holder })
  const remembered = await rememberedProfile(holder, storage)
  return {
    salt: fromBase64url(salt),
    profiles: acceptableProfiles(profiles, remembered, { mayUseWeaker }),
    hasWeaker: !mayUseWeaker && hasWeakerProfile(profiles, remembered),
  }
}

interface Password {
  readonly password: string
  readonly userId: string
  readonly profile: DerivationProfile
}

/** What remains to be made once the password has been stretched into its login secrets. */
export async function passwordKeysOf(
  { deriveMasterKey }: Pick<DeriveDeps, 'deriveMasterKey'>,
  { password, userId, profile, secrets }: Password & { readonly secrets: LoginSecrets },
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
  deps: Pick<DeriveDeps, 'deriveSecrets' | 'deriveMasterKey'>,
  { salt, ...from }: Password & { readonly salt: Uint8Array },
): Promise<PasswordKeys> {
  const { password, profile } = from
  return passwordKeysOf(deps, { ...from, secrets: await deps.deriveSecrets({ password, salt, profile }) })
}

interface OpenKeys {
  readonly userId: string
  readonly masterKey: Bytes
  readonly accountKey: Bytes
}

export const keysAsText = ({ userId, masterKey, accountKey }: OpenKeys): KeptKeys => ({
  userId,
  masterKey: toBase64url(masterKey),
  accountKey: toBase64url(accountKey),
})

/** True for what a password, a recovery key or a device that does not fit fails with. */
export const isWrongKey = (error: unknown): boolean => error instanceof CryptoError && error.code === 'wrong-key'
