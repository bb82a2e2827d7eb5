import type { DerivationProfile } from '@sallyport/crypto'
import { SpokenError } from '#/api/failure.ts'
import { signInWords } from '#/words/sign-in.ts'

/** What every new credential is made with, whatever a server names. */
export const newProfile: DerivationProfile = 2

const known: readonly DerivationProfile[] = [2, 1]
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

interface WeakerProfile {
  /** The person has agreed to it for this sign-in. */
  readonly mayUseWeaker: boolean
}

/**
 * The profiles whose credential may be sent, the strongest first. A weaker one is used only on a device that has used
 * it and nothing stronger, or with the person's word; a server cannot ask a fresh device for it.
 */
export function acceptableProfiles(
  offered: readonly number[],
  storage: Storage,
  { mayUseWeaker }: WeakerProfile = { mayUseWeaker: false },
): readonly DerivationProfile[] {
  const remembered = Number(storage.getItem(storageName) ?? 0)
  const understood = knownProfiles(offered)
  const least = remembered === 0 && !mayUseWeaker ? newProfile : Math.max(remembered, 1)
  const acceptable = understood.filter((profile) => profile >= least)
  if (acceptable.length > 0) return acceptable
  throw remembered === 0 ? new WeakerProfileError() : new SpokenError(signInWords.weakerProfile)
}

/** Whether the person's word would have this device use a profile that it does not use by itself. */
export const hasWeakerProfile = (offered: readonly number[], storage: Storage): boolean =>
  storage.getItem(storageName) === null && offered.includes(1)

/** Called once an account has been opened, so that nothing weaker is taken on this device from then on. */
export function rememberProfile(profile: DerivationProfile, storage: Storage): void {
  const strongest = Math.max(profile, Number(storage.getItem(storageName) ?? 0))
  storage.setItem(storageName, String(strongest))
}
