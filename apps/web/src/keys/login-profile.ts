import type { DerivationProfile } from '@sallyport/crypto'
import { SpokenError } from '#/api/failure.ts'
import { signInWords } from '#/words/sign-in.ts'

const known: readonly DerivationProfile[] = [1, 2]
const storageName = 'loginProfile'

/**
 * The ways to derive that the server offers and this page may use, in the server's order. A server that names a weaker
 * way than this device has used before is not given a secret made in that way.
 */
export function acceptableProfiles(offered: readonly number[], storage: Storage): readonly DerivationProfile[] {
  const strongest = Number(storage.getItem(storageName) ?? 0)
  const understood = known.filter((profile) => offered.includes(profile))
  if (understood.length === 0) throw new SpokenError(signInWords.unknownProfile)
  const acceptable = offered.flatMap((profile) => understood.filter((one) => one === profile && one >= strongest))
  if (acceptable.length === 0) throw new SpokenError(signInWords.weakerProfile)
  return acceptable
}

/** Called once an account has been opened, so that nothing weaker is taken on this device from then on. */
export function rememberProfile(profile: DerivationProfile, storage: Storage): void {
  const strongest = Math.max(profile, Number(storage.getItem(storageName) ?? 0))
  storage.setItem(storageName, String(strongest))
}
