import { type DerivationProfile, toBase64url } from '@sallyport/crypto'
import { SpokenError } from '#/api/failure.ts'
import { signInWords } from '#/words/sign-in.ts'
import type { Holder } from './holder.ts'

/** What every new credential is made with, whatever a server names. */
export const newProfile: DerivationProfile = 2

const known: readonly DerivationProfile[] = [2, 1]
/** Earlier versions kept one profile for all accounts of the device, under this name. */
const storageName = 'loginProfile'

/** The server accepts a credential of the stronger profile not, or none of it: the weaker one takes the person's word. */
export class WeakerProfileError extends SpokenError {
  readonly code = 'WEAKER_PROFILE'

  constructor() {
    super(signInWords.weakerOffered)
  }
}

/** The profiles that the server names and this page knows, the strongest first. For deriving what is sent to nobody. */
export function knownProfiles(offered: readonly number[]): readonly DerivationProfile[] {
  const understood = known.filter((profile) => offered.includes(profile))
  if (understood.length === 0) throw new SpokenError(signInWords.unknownProfile)
  return understood
}

/**
 * The strongest profile that this device has used for the account; 0 where it has used none. A stronger profile from
 * before profiles were kept by account counts for every account, because nothing says which one it was used for.
 */
export async function rememberedProfile(holder: Holder, storage: Storage): Promise<number> {
  const own = Number(storage.getItem(await storageNameOf(holder)) ?? 0)
  const shared = Number(storage.getItem(storageName) ?? 0)
  return Math.max(own, shared >= newProfile ? shared : 0)
}

/** Called once an account has been opened, so that nothing weaker is taken for it on this device from then on. */
export async function rememberProfile(profile: DerivationProfile, holder: Holder, storage: Storage): Promise<void> {
  const strongest = Math.max(profile, await rememberedProfile(holder, storage))
  storage.setItem(await storageNameOf(holder), String(strongest))
}

/** Holds a digest, so that the storage does not name everyone who has signed in on this device. */
async function storageNameOf(holder: Holder): Promise<string> {
  const identifier = 'email' in holder ? holder.email : holder.phone.replace('+', '')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`login-profile|${identifier}`))
  return `${storageName}.${toBase64url(new Uint8Array(digest).slice(0, 16))}`
}

/** Whether a credential of this profile may be sent without the person's word. */
export const maySendProfile = (profile: DerivationProfile, remembered: number): boolean =>
  profile >= (remembered || newProfile)

interface WeakerProfile {
  /** The person has agreed to it for this sign-in, after the stronger profile was tried. */
  readonly mayUseWeaker: boolean
}

/**
 * The profiles whose credential may be sent, the strongest first. A weaker one is used only on a device that has used
 * it and nothing stronger for the account, or with the person's word; a server cannot ask a fresh device for it.
 */
export function acceptableProfiles(
  offered: readonly number[],
  remembered: number,
  { mayUseWeaker }: WeakerProfile = { mayUseWeaker: false },
): readonly DerivationProfile[] {
  const understood = knownProfiles(offered)
  const isAgreed = mayUseWeaker && remembered === 0
  const weaker = isAgreed ? understood.filter((profile) => profile < newProfile) : []
  if (weaker.length > 0) return weaker
  const acceptable = understood.filter((profile) => maySendProfile(profile, remembered))
  if (acceptable.length > 0) return acceptable
  throw remembered === 0 ? new WeakerProfileError() : new SpokenError(signInWords.weakerProfile)
}

/** Whether the person's word would have this device use a profile that it does not use by itself. */
export const hasWeakerProfile = (offered: readonly number[], remembered: number): boolean =>
  remembered === 0 && offered.includes(1)
