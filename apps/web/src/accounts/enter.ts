import { accounts } from '@sallyport/contract/accounts'
import type { DerivationProfile, LoginSecrets } from '@sallyport/crypto'
import { type Account, type Auth, nameOf } from '#/api/auth.ts'
import { changeCredential } from '#/api/change-credential.ts'
import { SpokenError } from '#/api/failure.ts'
import { openAccountKey, openOrMakeAccountKey, restorePreviousKey } from '#/keys/account-key.ts'
import type { KeyRing } from '#/keys/key-ring.ts'
import {
  maySendProfile,
  newProfile,
  rememberedProfile,
  rememberProfile,
  WeakerProfileError,
} from '#/keys/login-profile.ts'
import {
  askForSignIn,
  askForWays,
  type DeriveDeps,
  isWrongKey,
  keysAsText,
  type PasswordKeys,
  passwordKeysOf,
  type Ways,
} from '#/keys/password-keys.ts'
import { signInWords } from '#/words/sign-in.ts'
import { type Identifier, identifierOf } from './identifier.ts'
import type { PolicyKeeper } from './policy-keeper.ts'
import type { UpgradeOffer } from './upgrade-keeper.ts'

export interface EnterDeps extends DeriveDeps {
  readonly auth: Auth
  readonly keyRing: KeyRing
  readonly policy: PolicyKeeper
}

interface Derived {
  readonly profile: DerivationProfile
  readonly secrets: LoginSecrets
}

interface SignInWish {
  /** An address or a phone number, as it was typed. */
  readonly typed: string
  readonly password: string
  readonly remember: boolean
  /** The person has agreed to a weaker profile than new credentials are made with. */
  readonly mayUseWeaker?: boolean
  /** Asks for the account's second factor; settles once it was given, and fails when it will not be. */
  readonly passSecondFactor: () => Promise<void>
}

export interface Entered {
  readonly account: Account
  /** The licence has ended, so the keys stay closed until there is another. */
  readonly upgrade: UpgradeOffer | null
}

/**
 * From the password to an open account. Rejects with `WEAKER_PROFILE` where only a weaker profile could do and the person
 * has not agreed to it.
 */
export async function signIn(deps: EnterDeps, wish: SignInWish): Promise<Entered> {
  const { typed, password, remember, mayUseWeaker = false, passSecondFactor } = wish
  const identifier = identifierOf(typed)
  const { hasWeaker, ...ways } = await askForSignIn(deps, { holder: identifier, mayUseWeaker })
  try {
    return await withEachProfile(deps, { ways, password }, 'INVALID_CREDENTIALS', (derived) =>
      signInWith(deps, { identifier, password, remember, derived, passSecondFactor }),
    )
  } catch (error) {
    throw hasWeaker && codeOf(error) === 'INVALID_CREDENTIALS' ? new WeakerProfileError() : error
  }
}

interface RegistrationWish {
  readonly email: string
  readonly password: string
  /** Empty without one. */
  readonly licenseKey: string
  /** Off where the address has to be confirmed first. */
  readonly mayEnter: boolean
}

/** Makes an account and, where that is allowed, enters it at once without stretching the password again. */
export async function register(deps: EnterDeps, wish: RegistrationWish): Promise<Entered | null> {
  const { password, licenseKey, mayEnter } = wish
  const email = wish.email.trim().toLowerCase()
  const { salt } = await askForWays(deps, { email })
  const profile = newProfile
  const secrets = await deps.deriveSecrets({ password, salt, profile })
  const body = { email, password: secrets.credential, ...(licenseKey ? { licenseKey } : {}) }
  await deps.call(accounts.register, { body })
  if (!mayEnter) return null
  return signInWith(deps, {
    identifier: { email },
    password,
    remember: false,
    derived: { profile, secrets },
    passSecondFactor: hasNone,
  })
}

/** Opens the key of an account that is signed in already. Throws a `wrong-key` CryptoError for another password. */
export async function unlock(deps: EnterDeps, { account, password }: { account: Account; password: string }) {
  const userId = account.id
  const { call, storage } = deps
  const holder = identifierOf(nameOf(account))
  const ways = await askForWays(deps, holder)
  const tried: PasswordKeys[] = []
  const openKey = async (derived: Derived): Promise<UnlockedKeys> => {
    const keys = await keysFor(deps, { userId, password, derived })
    tried.push(keys)
    const { masterKey, keyEncryptionKey } = keys
    return { masterKey, accountKey: (await openAccountKey({ call, storage, userId, keyEncryptionKey })).accountKey }
  }
  const keys = await withEachProfile(deps, { ways, password }, 'wrong-key', openKey).catch((error: unknown) =>
    restoreIfConfirmed(deps, { userId, holder, tried, error }),
  )
  await deps.keyRing.open(keysAsText({ userId, ...keys }))
}

type UnlockedKeys = Pick<Parameters<typeof keysAsText>[0], 'masterKey' | 'accountKey'>

interface RestoreInput {
  readonly userId: string
  readonly holder: Identifier
  /** What the password made, by profile; none of it opens the key in use. */
  readonly tried: readonly PasswordKeys[]
  /** Why the key in use did not open. */
  readonly error: unknown
}

/**
 * The key in use may have been replaced by another one: where the server takes the password, a previous key may open.
 * Sends a credential only of the profiles that this device uses for the account.
 */
async function restoreIfConfirmed(deps: EnterDeps, { userId, holder, tried, error }: RestoreInput) {
  if (!isWrongKey(error)) throw error
  const { call, storage } = deps
  const { confirmCredential, isPasswordInvalid } = await import('#/keys/confirm-password.ts')
  const remembered = await rememberedProfile(holder, storage)
  for (const { profile, credential, masterKey, keyEncryptionKey } of tried) {
    if (!maySendProfile(profile, remembered)) continue
    try {
      await confirmCredential(deps, credential)
    } catch (refused) {
      if (!isPasswordInvalid(refused)) throw refused
      continue
    }
    return { masterKey, accountKey: await restorePreviousKey({ call, storage, userId, keyEncryptionKey }) }
  }
  throw error
}

/** Tries these profiles, of which there are two only while an account moves from one to the next. */
async function withEachProfile<Result>(
  deps: EnterDeps,
  { ways: { salt, profiles }, password }: { ways: Ways; password: string },
  goesOnAfter: string,
  work: (derived: Derived) => Promise<Result>,
): Promise<Result> {
  for (const profile of profiles) {
    try {
      return await work({ profile, secrets: await deps.deriveSecrets({ password, salt, profile }) })
    } catch (error) {
      if (profile === profiles.at(-1) || codeOf(error) !== goesOnAfter) throw error
    }
  }
  throw new SpokenError(signInWords.failed)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

interface SigningIn extends Omit<SignInWish, 'typed'> {
  readonly identifier: Identifier
  readonly derived: Derived
}

async function signInWith(deps: EnterDeps, signingIn: SigningIn): Promise<Entered> {
  const { identifier, password, remember, derived, passSecondFactor } = signingIn
  const { call, auth, keyRing, policy, storage } = deps
  const { profile, secrets } = derived
  const reply = await call(accounts.login, {
    headers: { 'x-session-policy': remember ? 'remember' : 'short' },
    body: { ...identifier, password: secrets.credential },
  })
  // Before the sign-in itself, which other tabs hear of at once and measure by the policy.
  policy.start(remember)
  const account = await auth.begin(reply.session)
  try {
    if (reply.mfa_required) await passSecondFactor()
    const upgrade = upgradeOf(reply)
    if (upgrade) return { account, upgrade }
    const userId = account.id
    const { masterKey, keyEncryptionKey } = await keysFor(deps, { userId, password, derived })
    const accountKey = await openOrMakeAccountKey({ call, userId, keyEncryptionKey, profile, storage })
    await keyRing.open(keysAsText({ userId, masterKey, accountKey }))
  } catch (error) {
    policy.forget()
    await auth.end()
    throw isWrongKey(error) ? new SpokenError(signInWords.noKeys, { cause: error }) : error
  }
  await rememberProfile(profile, identifier, storage)
  void raiseProfile(deps, { userId: account.id, identifier, password, derived }).catch(() => undefined)
  return { account, upgrade: null }
}

interface Raising {
  readonly userId: string
  readonly identifier: Identifier
  readonly password: string
  readonly derived: Derived
}

/** Stretches the password in the strongest way from now on, where it was not yet. What fails is tried at the next sign-in. */
async function raiseProfile(deps: EnterDeps, { userId, identifier, password, derived }: Raising): Promise<void> {
  if (derived.profile === newProfile) return
  const { changePassword } = await import('#/keys/change-password.ts')
  const change = { userId, holder: identifier, current: password, next: password }
  await changePassword({ ...deps, changeCredential: (wish) => changeCredential(deps.auth, wish) }, change)
}

interface LicenceStanding {
  readonly upgrade_required: boolean
  readonly trial_expired: boolean
  readonly upgrade_message?: string | undefined
}

function upgradeOf({ upgrade_required, trial_expired, upgrade_message }: LicenceStanding): UpgradeOffer | null {
  if (!upgrade_required) return null
  return { isPersistent: true, isTrialOver: trial_expired, message: upgrade_message ?? null }
}

const hasNone = async (): Promise<never> => {
  throw new SpokenError(signInWords.failed)
}

interface KeySources {
  readonly userId: string
  readonly password: string
  readonly derived: Derived
}

const keysFor = (deps: EnterDeps, { userId, password, derived }: KeySources): Promise<PasswordKeys> =>
  passwordKeysOf(deps, { userId, password, profile: derived.profile, secrets: derived.secrets })
