import { loadCode } from '@sallyport/browser/load-code'
import type { Clock } from '@sallyport/client/clock'
import { ApiError } from '@sallyport/client/errors'
import { accounts, UpgradeErrorBody } from '@sallyport/contract/accounts'
import type { DerivationProfile, LoginSecrets } from '@sallyport/crypto'
import { type Account, type Auth, accountName } from '#/lib/api/auth.ts'
import { changeCredential } from '#/lib/api/change-credential.ts'
import type { AccountIdentifier } from '#/lib/keys/account-identifier.ts'
import { openAccountKey, openOrCreateAccountKey, restorePreviousKey } from '#/lib/keys/account-key.ts'
import { isPasswordInvalid } from '#/lib/keys/is-password-invalid.ts'
import type { KeyRing } from '#/lib/keys/key-ring.ts'
import {
  currentProfile,
  maySendProfile,
  storedProfile,
  storeProfile,
  WeakerProfileError,
} from '#/lib/keys/login-profile.ts'
import {
  completePasswordKeys,
  encodeKeys,
  getKdfParams,
  getSignInKdfParams,
  isWrongKey,
  type KdfParams,
  type KeyDerivationDeps,
  type PasswordKeys,
} from '#/lib/keys/password-keys.ts'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import type { UpgradeOffer } from '../sign-up/upgrade-offer-store.ts'
import { identifierOf, normalizeTypedEmail } from './identifier.ts'
import type { SessionLifetimeStore } from './session-lifetime-store.ts'

export interface SignInDeps extends KeyDerivationDeps {
  readonly auth: Auth
  readonly keyRing: KeyRing
  readonly sessionLifetime: SessionLifetimeStore
  readonly clock: Clock
}

interface DerivedSecrets {
  readonly profile: DerivationProfile
  readonly secrets: LoginSecrets
}

export interface SignInInput {
  /** An email address or a phone number, as typed. */
  readonly identifierText: string
  readonly password: string
  readonly remember: boolean
  /** The user agreed to a weaker profile than the one new credentials use. */
  readonly allowsWeakerProfile?: boolean
  /** Prompts for the account's second factor; resolves once it is verified, rejects when the user cancels. */
  readonly completeMfa: () => Promise<void>
}

export interface SignInResult {
  readonly account: Account
  /** Set when the licence has expired; the keys stay locked until it is renewed. */
  readonly upgradeOffer: UpgradeOffer | null
}

/**
 * Signs in with a password and unlocks the account. Rejects with `WEAKER_PROFILE` when only a weaker profile could work
 * and the user has not agreed to it.
 */
export async function signIn(deps: SignInDeps, input: SignInInput): Promise<SignInResult> {
  const { identifierText, password, remember, allowsWeakerProfile = false, completeMfa } = input
  const identifier = identifierOf(identifierText)
  return withLoginSecrets(deps, { identifier, password, allowsWeakerProfile }, (derived) =>
    signInWithSecrets(deps, { identifier, password, remember, derived, completeMfa }),
  )
}

interface LoginSecretsInput {
  readonly identifier: AccountIdentifier
  readonly password: string
  readonly allowsWeakerProfile: boolean
}

/** Runs `attempt` with the login secrets of this password, once for each profile that the account may have. */
export async function withLoginSecrets<Result>(
  deps: KeyDerivationDeps,
  { identifier, password, allowsWeakerProfile }: LoginSecretsInput,
  attempt: (derived: DerivedSecrets) => Promise<Result>,
): Promise<Result> {
  const { hasWeakerProfile, ...kdfParams } = await getSignInKdfParams(deps, {
    holder: identifier,
    mayUseWeaker: allowsWeakerProfile,
  })
  try {
    return await tryEachProfile(deps, { kdfParams, password }, 'INVALID_CREDENTIALS', attempt)
  } catch (error) {
    throw hasWeakerProfile && codeOf(error) === 'INVALID_CREDENTIALS' ? new WeakerProfileError() : error
  }
}

interface LoginInput {
  readonly identifier: AccountIdentifier
  readonly credential: string
  readonly remember: boolean
}

/** Has the server create an auth session. */
export const logIn = ({ call }: Pick<SignInDeps, 'call'>, { identifier, credential, remember }: LoginInput) =>
  call(accounts.login, {
    headers: { 'x-session-policy': remember ? 'remember' : 'short' },
    body: { ...identifier, password: credential },
  })

interface RegistrationInput {
  readonly email: string
  readonly password: string
  /** Empty when there is none. */
  readonly licenseKey: string
  /** False when the email address has to be confirmed first. */
  readonly signsInDirectly: boolean
}

/** Derives the login secrets of an account that is about to be created. */
export async function deriveNewSecrets(
  deps: KeyDerivationDeps,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<DerivedSecrets> {
  const { salt } = await getKdfParams(deps, { email })
  return { profile: currentProfile, secrets: await deps.deriveSecrets({ password, salt, profile: currentProfile }) }
}

/** Creates an account and, if allowed, signs in at once without running the KDF again. */
export async function register(deps: SignInDeps, input: RegistrationInput): Promise<SignInResult | null> {
  const { password, licenseKey, signsInDirectly } = input
  const email = normalizeTypedEmail(input.email)
  const { profile, secrets } = await deriveNewSecrets(deps, { email, password })
  const body = { email, password: secrets.credential, ...(licenseKey ? { licenseKey } : {}) }
  await deps.call(accounts.register, { body })
  if (!signsInDirectly) return null
  try {
    return await signInWithSecrets(deps, {
      identifier: { email },
      password,
      remember: false,
      derived: { profile, secrets },
      completeMfa: rejectMfa,
    })
  } catch (error) {
    // The server answers a registration with a known address like any other, and leaves that account as it is.
    const isOtherPassword = error instanceof ApiError && error.code === 'INVALID_CREDENTIALS'
    throw isOtherPassword ? new UserFacingError(signUpStrings.mayExist, { cause: error }) : error
  }
}

/** Unlocks the keys of an account that is already signed in. Throws a `wrong-key` CryptoError for a wrong password. */
export async function unlock(deps: SignInDeps, { account, password }: { account: Account; password: string }) {
  const userId = account.id
  const { call, storage } = deps
  const identifier = identifierOf(accountName(account))
  const kdfParams = await getKdfParams(deps, identifier)
  const derivedKeys: PasswordKeys[] = []
  const openKey = async (derived: DerivedSecrets): Promise<UnlockedKeys> => {
    const keys = await deriveKeys(deps, { userId, password, derived })
    derivedKeys.push(keys)
    const { masterKey, keyEncryptionKey } = keys
    return { masterKey, accountKey: (await openAccountKey({ call, storage, userId, keyEncryptionKey })).accountKey }
  }
  const keys = await tryEachProfile(deps, { kdfParams, password }, 'wrong-key', openKey).catch((error: unknown) =>
    restorePreviousKeyIfConfirmed(deps, { userId, identifier, derivedKeys, error }),
  )
  await deps.keyRing.open(encodeKeys({ userId, ...keys }))
}

type UnlockedKeys = Pick<Parameters<typeof encodeKeys>[0], 'masterKey' | 'accountKey'>

interface RestoreAccountKeyInput {
  readonly userId: string
  readonly identifier: AccountIdentifier
  /** Keys derived from the password, one set per profile; none of them unwraps the current account key. */
  readonly derivedKeys: readonly PasswordKeys[]
  /** Why the current account key could not be unwrapped. */
  readonly error: unknown
}

/**
 * Tries previous account keys when the current one may have been replaced: it does so only after the server has accepted
 * the password. Sends credentials only for profiles that this device uses for the account.
 */
async function restorePreviousKeyIfConfirmed(
  deps: SignInDeps,
  { userId, identifier, derivedKeys, error }: RestoreAccountKeyInput,
) {
  if (!isWrongKey(error)) throw error
  const { call, storage } = deps
  const { confirmCredential } = await loadCode(() => import('#/lib/keys/confirm-password.ts'))
  const remembered = await storedProfile(identifier, storage)
  for (const { profile, credential, masterKey, keyEncryptionKey } of derivedKeys) {
    if (!maySendProfile(profile, remembered)) continue
    try {
      await confirmCredential(deps, credential)
    } catch (confirmError) {
      if (!isPasswordInvalid(confirmError)) throw confirmError
      continue
    }
    return { masterKey, accountKey: await restorePreviousKey({ call, storage, userId, keyEncryptionKey }) }
  }
  throw error
}

/** Tries each profile in order. There are two only while an account is being migrated from one to the next. */
async function tryEachProfile<Result>(
  deps: Pick<KeyDerivationDeps, 'deriveSecrets'>,
  { kdfParams: { salt, profiles }, password }: { kdfParams: KdfParams; password: string },
  retryOnCode: string,
  attempt: (derived: DerivedSecrets) => Promise<Result>,
): Promise<Result> {
  for (const profile of profiles) {
    try {
      return await attempt({ profile, secrets: await deps.deriveSecrets({ password, salt, profile }) })
    } catch (error) {
      if (profile === profiles.at(-1) || codeOf(error) !== retryOnCode) throw error
    }
  }
  throw new UserFacingError(signInStrings.failed)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

interface SignInWithSecretsInput extends Omit<SignInInput, 'identifierText'> {
  readonly identifier: AccountIdentifier
  readonly derived: DerivedSecrets
}

async function signInWithSecrets(deps: SignInDeps, input: SignInWithSecretsInput): Promise<SignInResult> {
  const { identifier, password, remember, derived, completeMfa } = input
  const { call, auth, keyRing, sessionLifetime, storage } = deps
  const { profile, secrets } = derived
  const reply = await logIn(deps, { identifier, credential: secrets.credential, remember })
  // Stored before the auth session, because other tabs see that one at once and check it against the lifetime.
  sessionLifetime.start(remember)
  const account = await auth.begin(reply.session)
  try {
    if (reply.mfa_required) await completeMfa()
    const upgradeOffer = upgradeOfferOf(reply)
    if (upgradeOffer) return { account, upgradeOffer }
    const userId = account.id
    const { masterKey, keyEncryptionKey } = await deriveKeys(deps, { userId, password, derived })
    const accountKey = await openOrCreateAccountKey({ call, userId, keyEncryptionKey, profile, storage })
    await keyRing.open(encodeKeys({ userId, masterKey, accountKey }))
  } catch (error) {
    sessionLifetime.clear()
    await auth.end()
    throw isWrongKey(error) ? new UserFacingError(signInStrings.keysUndecryptable, { cause: error }) : error
  }
  await storeProfile(profile, identifier, storage)
  void upgradeProfile(deps, { userId: account.id, identifier, password, derived }).catch(() => undefined)
  return { account, upgradeOffer: null }
}

interface UpgradeProfileInput {
  readonly userId: string
  readonly identifier: AccountIdentifier
  readonly password: string
  readonly derived: DerivedSecrets
}

/** Migrates the account to the strongest KDF profile if needed. A failure is retried at the next sign-in. */
async function upgradeProfile(
  deps: SignInDeps,
  { userId, identifier, password, derived }: UpgradeProfileInput,
): Promise<void> {
  if (derived.profile === currentProfile) return
  const { changePassword } = await loadCode(() => import('#/lib/keys/change-password.ts'))
  const change = { userId, identifier, current: password, next: password }
  await changePassword({ ...deps, changeCredential: (input) => changeCredential(deps.auth, input) }, change)
}

interface LicenceStatus {
  readonly upgrade_required: boolean
  readonly trial_expired: boolean
  readonly upgrade_message?: string | undefined
}

export function upgradeOfferOf({
  upgrade_required,
  trial_expired,
  upgrade_message,
}: LicenceStatus): UpgradeOffer | null {
  if (!upgrade_required) return null
  return { isPersistent: true, isTrialOver: trial_expired, message: upgrade_message ?? null }
}

/** The session that comes with the error of a sign-in whose licence ended long ago; none if the error has no such session. */
export function limitedSessionOf({ body }: ApiError): Pick<UpgradeOffer, 'limitedSession'> {
  const parsed = UpgradeErrorBody.safeParse(body)
  if (!parsed.success) return {}
  const { session, user } = parsed.data
  return { limitedSession: { accessToken: session.access_token, email: user.email, userId: user.id } }
}

const rejectMfa = async (): Promise<never> => {
  throw new UserFacingError(signInStrings.failed)
}

interface DeriveKeysInput {
  readonly userId: string
  readonly password: string
  readonly derived: DerivedSecrets
}

const deriveKeys = (deps: SignInDeps, { userId, password, derived }: DeriveKeysInput): Promise<PasswordKeys> =>
  completePasswordKeys(deps, { userId, password, profile: derived.profile, secrets: derived.secrets })
