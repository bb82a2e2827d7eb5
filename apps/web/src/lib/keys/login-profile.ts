import { type DerivationProfile, toBase64url } from '@sallyport/crypto'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import type { AccountIdentifier } from './account-identifier.ts'

/** The profile of every new credential, whatever the server offers. */
export const currentProfile: DerivationProfile = 2

const supportedProfiles: readonly DerivationProfile[] = [2, 1]
/** Earlier versions stored one profile for all accounts of the device under this key. */
const storageKey = 'loginProfile'

/** The server rejects or does not offer the stronger profile; using the weaker one needs the user's consent. */
export class WeakerProfileError extends UserFacingError {
  readonly code = 'WEAKER_PROFILE'

  constructor() {
    super(signInStrings.weakerProfileOffered)
  }
}

/** The offered profiles that this client knows, strongest first. Only for deriving secrets that are never sent. */
export function knownProfiles(offered: readonly number[]): readonly DerivationProfile[] {
  const supported = supportedProfiles.filter((profile) => offered.includes(profile))
  if (supported.length === 0) throw new UserFacingError(signInStrings.unknownProfile)
  return supported
}

/**
 * The strongest profile that this device has used for the account; 0 if none. A stronger profile from before profiles
 * were stored per account applies to every account, because it is unknown which one it was used for.
 */
export async function storedProfile(identifier: AccountIdentifier, storage: Storage): Promise<number> {
  const own = Number(storage.getItem(await storageKeyOf(identifier)) ?? 0)
  const shared = Number(storage.getItem(storageKey) ?? 0)
  return Math.max(own, shared >= currentProfile ? shared : 0)
}

/** Call it after an account was unlocked, so that this device accepts nothing weaker for it from then on. */
export async function storeProfile(
  profile: DerivationProfile,
  identifier: AccountIdentifier,
  storage: Storage,
): Promise<void> {
  const strongest = Math.max(profile, await storedProfile(identifier, storage))
  storage.setItem(await storageKeyOf(identifier), String(strongest))
}

/** Contains a digest, so that the storage does not reveal who has signed in on this device. */
async function storageKeyOf(account: AccountIdentifier): Promise<string> {
  const identifier = 'email' in account ? account.email : account.phone.replace('+', '')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`login-profile|${identifier}`))
  return `${storageKey}.${toBase64url(new Uint8Array(digest).slice(0, 16))}`
}

/** Whether a credential of this profile may be sent without the user's consent. */
export const maySendProfile = (profile: DerivationProfile, stored: number): boolean =>
  profile >= (stored || currentProfile)

interface WeakerProfileConsent {
  /** The user agreed to it for this sign-in, after the stronger profile was tried. */
  readonly allowsWeakerProfile: boolean
}

/**
 * The profiles whose credential may be sent, strongest first. A weaker one is used only on a device that has used it and
 * nothing stronger for the account, or with the user's consent; a server cannot force a fresh device to use it.
 */
export function acceptableProfiles(
  offered: readonly number[],
  stored: number,
  { allowsWeakerProfile }: WeakerProfileConsent = { allowsWeakerProfile: false },
): readonly DerivationProfile[] {
  const supported = knownProfiles(offered)
  const hasConsent = allowsWeakerProfile && stored === 0
  const weaker = hasConsent ? supported.filter((profile) => profile < currentProfile) : []
  if (weaker.length > 0) return weaker
  const acceptable = supported.filter((profile) => maySendProfile(profile, stored))
  if (acceptable.length > 0) return acceptable
  throw stored === 0 ? new WeakerProfileError() : new UserFacingError(signInStrings.weakerProfile)
}

/** Whether the user's consent would allow a profile that this device does not use by default. */
export const hasWeakerProfile = (offered: readonly number[], stored: number): boolean =>
  stored === 0 && offered.includes(1)
