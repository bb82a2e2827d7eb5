import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
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
import type { Account, Auth } from '#/api/auth.ts'
import { SpokenError } from '#/api/failure.ts'
import type { KeptKeys } from '#/keys/kept-keys.ts'
import type { KeyRing } from '#/keys/key-ring.ts'
import { signInWords } from '#/words/sign-in.ts'
import { openAccountKey, openOrMakeAccountKey } from './account-key.ts'
import { acceptableProfiles, rememberProfile } from './login-profile.ts'
import type { PolicyKeeper } from './policy-keeper.ts'

export interface EnterDeps {
  readonly call: Call
  readonly auth: Auth
  readonly keyRing: KeyRing
  readonly policy: PolicyKeeper
  /** Stretches the password away from the page's own thread. */
  readonly deriveSecrets: (from: {
    readonly password: string
    readonly salt: Uint8Array
    readonly profile: DerivationProfile
  }) => Promise<LoginSecrets>
  /** The same for the other secret of a password. */
  readonly deriveMasterKey: (from: { readonly password: string; readonly userId: string }) => Promise<Bytes>
  /** Where the strongest way to derive that this device has used is remembered. */
  readonly storage: Storage
}

interface Credentials {
  readonly email: string
  readonly password: string
}

interface Derived {
  readonly profile: DerivationProfile
  readonly secrets: LoginSecrets
}

/** From the password to an open account. Everything thrown carries words for a person in its message. */
export async function signIn(deps: EnterDeps, { email, password, remember }: Credentials & { remember: boolean }) {
  const address = email.toLowerCase()
  const ways = await waysToDerive(deps, address)
  for (const [index, profile] of ways.profiles.entries()) {
    const derived = { profile, secrets: await deps.deriveSecrets({ password, salt: ways.salt, profile }) }
    try {
      return await signInWith(deps, { email: address, password, remember, derived })
    } catch (error) {
      const isLast = index === ways.profiles.length - 1
      if (isLast || !(error instanceof ApiError) || error.code !== 'INVALID_CREDENTIALS') throw error
    }
  }
  throw new SpokenError(signInWords.failed)
}

/** Makes an account and, unless its address has to be confirmed first, enters it without stretching the password again. */
export async function register(
  deps: EnterDeps,
  { email, password, licenseKey, mayEnter }: Credentials & { licenseKey: string; mayEnter: boolean },
): Promise<Account | null> {
  const address = email.toLowerCase()
  const { salt, profiles } = await waysToDerive(deps, address)
  const profile = profiles[0] ?? 2
  const secrets = await deps.deriveSecrets({ password, salt, profile })
  await deps.call(accounts.register, {
    body: { email: address, password: secrets.credential, ...(licenseKey ? { licenseKey } : {}) },
  })
  if (!mayEnter) return null
  return signInWith(deps, { email: address, password, remember: false, derived: { profile, secrets } })
}

/** Opens the key of an account that is signed in already. Throws a `wrong-key` CryptoError for another password. */
export async function unlock(deps: EnterDeps, { account, password }: { account: Account; password: string }) {
  const { salt, profiles } = await waysToDerive(deps, account.email)
  for (const [index, profile] of profiles.entries()) {
    const { wrapSecret } = await deps.deriveSecrets({ password, salt, profile })
    const masterKey = await deps.deriveMasterKey({ password, userId: account.id })
    const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: account.id })
    try {
      const accountKey = await openAccountKey({ call: deps.call, userId: account.id, keyEncryptionKey })
      return await deps.keyRing.open(keysAsText({ userId: account.id, masterKey, accountKey }))
    } catch (error) {
      if (index === profiles.length - 1 || !isWrongKey(error)) throw error
    }
  }
}

export const isWrongKey = (error: unknown): boolean => error instanceof CryptoError && error.code === 'wrong-key'

const keysAsText = (keys: { userId: string; masterKey: Bytes; accountKey: Bytes }): KeptKeys => ({
  userId: keys.userId,
  masterKey: toBase64url(keys.masterKey),
  accountKey: toBase64url(keys.accountKey),
})

async function waysToDerive({ call, storage }: EnterDeps, email: string) {
  const { salt, profiles } = await call(accounts.prelogin, { body: { email } })
  return { salt: fromBase64url(salt), profiles: acceptableProfiles(profiles, storage) }
}

async function signInWith(
  { call, auth, keyRing, policy, deriveMasterKey, storage }: EnterDeps,
  { email, password, remember, derived }: Credentials & { remember: boolean; derived: Derived },
): Promise<Account> {
  const { profile, secrets } = derived
  const reply = await call(accounts.login, {
    headers: { 'x-session-policy': remember ? 'remember' : 'short' },
    body: { email, password: secrets.credential },
  })
  // Before the sign-in itself, which other tabs hear of at once and measure by the policy.
  policy.start(remember)
  const account = await auth.begin(reply.session)
  try {
    const masterKey = await deriveMasterKey({ password, userId: account.id })
    const { wrapSecret } = secrets
    const keyEncryptionKey = await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: account.id })
    const accountKey = await openOrMakeAccountKey({ call, userId: account.id, keyEncryptionKey, profile })
    await keyRing.open(keysAsText({ userId: account.id, masterKey, accountKey }))
  } catch (error) {
    await auth.end()
    throw isWrongKey(error) ? new SpokenError(signInWords.noKeys, { cause: error }) : error
  }
  rememberProfile(profile, storage)
  return account
}
