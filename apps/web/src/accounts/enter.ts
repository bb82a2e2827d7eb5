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
import type { Account, Auth } from '#/api/auth.ts'
import { SpokenError } from '#/api/failure.ts'
import type { KeyRing } from '#/keys/key-ring.ts'
import { signInWords } from '#/words/sign-in.ts'
import { openAccountKey, openOrMakeAccountKey } from './account-key.ts'
import { type Identifier, identifierOf } from './identifier.ts'
import { acceptableProfiles, rememberProfile } from './login-profile.ts'
import type { PolicyKeeper } from './policy-keeper.ts'
import type { UpgradeOffer } from './upgrade-keeper.ts'

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

interface Derived {
  readonly profile: DerivationProfile
  readonly secrets: LoginSecrets
}

interface SignInWish {
  /** An address or a phone number, as it was typed. */
  readonly typed: string
  readonly password: string
  readonly remember: boolean
  /** Asks for the account's second factor; settles once it was given, and fails when it will not be. */
  readonly passSecondFactor: () => Promise<void>
}

export interface Entered {
  readonly account: Account
  /** The licence has ended, so the keys stay closed until there is another. */
  readonly upgrade: UpgradeOffer | null
}

/** From the password to an open account. */
export async function signIn(deps: EnterDeps, wish: SignInWish): Promise<Entered> {
  const { typed, password, remember, passSecondFactor } = wish
  const identifier = identifierOf(typed)
  return withEachProfile(deps, { identifier, password }, 'INVALID_CREDENTIALS', (derived) =>
    signInWith(deps, { identifier, password, remember, derived, passSecondFactor }),
  )
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
  const { salt, profiles } = await askForWays(deps, { email })
  const profile = profiles[0] ?? 2
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
  await withEachProfile(deps, { identifier: { email: account.email }, password }, 'wrong-key', async ({ secrets }) => {
    const { masterKey, keyEncryptionKey } = await deriveKeys(deps, { account, password, secrets })
    const accountKey = await openAccountKey({ call: deps.call, userId: account.id, keyEncryptionKey })
    await deps.keyRing.open(keysAsText({ userId: account.id, masterKey, accountKey }))
  })
}

export const isWrongKey = (error: unknown): boolean => error instanceof CryptoError && error.code === 'wrong-key'

async function askForWays({ call, storage }: EnterDeps, identifier: Identifier) {
  const { salt, profiles } = await call(accounts.prelogin, { body: identifier })
  return { salt: fromBase64url(salt), profiles: acceptableProfiles(profiles, storage) }
}

/** Tries the ways the server offers, of which there are two only while an account moves from one to the next. */
async function withEachProfile<Result>(
  deps: EnterDeps,
  { identifier, password }: { identifier: Identifier; password: string },
  goesOnAfter: string,
  work: (derived: Derived) => Promise<Result>,
): Promise<Result> {
  const { salt, profiles } = await askForWays(deps, identifier)
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
    const { masterKey, keyEncryptionKey } = await deriveKeys(deps, { account, password, secrets })
    const accountKey = await openOrMakeAccountKey({ call, userId: account.id, keyEncryptionKey, profile })
    await keyRing.open(keysAsText({ userId: account.id, masterKey, accountKey }))
  } catch (error) {
    policy.forget()
    await auth.end()
    throw isWrongKey(error) ? new SpokenError(signInWords.noKeys, { cause: error }) : error
  }
  rememberProfile(profile, storage)
  return { account, upgrade: null }
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
  readonly account: Account
  readonly password: string
  readonly secrets: LoginSecrets
}

async function deriveKeys({ deriveMasterKey }: EnterDeps, { account, password, secrets }: KeySources) {
  const masterKey = await deriveMasterKey({ password, userId: account.id })
  const { wrapSecret } = secrets
  return { masterKey, keyEncryptionKey: await deriveKeyEncryptionKey({ masterKey, wrapSecret, userId: account.id }) }
}

const keysAsText = ({ userId, masterKey, accountKey }: { userId: string; masterKey: Bytes; accountKey: Bytes }) => ({
  userId,
  masterKey: toBase64url(masterKey),
  accountKey: toBase64url(accountKey),
})
