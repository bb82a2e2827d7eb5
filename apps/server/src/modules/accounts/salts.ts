import { createHmac, randomBytes } from 'node:crypto'
import { derivedCredential } from '@sallyport/contract/fields'
import type { SaltsStore } from './salts.store.ts'

/** Number of the current key derivation profile: Argon2id with the parameters that clients know by this number. */
const currentProfile = 2
const saltBytes = 16
const fractionCacheMs = 60_000

interface SaltsDeps {
  readonly salts: SaltsStore
  /** HMAC key from which the salts of unknown identifiers are derived. */
  readonly secret: Buffer
  readonly now: () => number
}

/**
 * Salts for all email addresses and phone numbers, registered or not. A salt is derived from the secret, so the response
 * does not reveal whether an account exists. The salts of accounts are stored, so they survive a change of the secret, of
 * the address or of the profile.
 */
export function createSalts({ salts, secret, now }: SaltsDeps) {
  let earlierFractionCache = { value: 0, until: 0 }

  const computeSalt = (identifier: string): string =>
    createHmac('sha256', secret)
      .update('prelogin')
      .update(identifier)
      .digest()
      .subarray(0, saltBytes)
      .toString('base64url')

  const hashReleased = (identifier: string): string =>
    createHmac('sha256', secret).update('released').update(identifier).digest('base64url')

  const unpinnedSaltOf = async (identifier: string): Promise<string> =>
    (await salts.findReleased(hashReleased(identifier))) ?? computeSalt(identifier)

  async function getEarlierFraction(): Promise<number> {
    if (earlierFractionCache.until <= now())
      earlierFractionCache = { value: await salts.fractionBelow(currentProfile), until: now() + fractionCacheMs }
    return earlierFractionCache.value
  }

  /** Shows an earlier profile for unknown identifiers as often as accounts have one. */
  async function showsEarlierProfile(identifier: string): Promise<boolean> {
    const draw = createHmac('sha256', secret).update('profile').update(identifier).digest().readUInt32BE() / 2 ** 32
    return draw < (await getEarlierFraction())
  }

  return {
    /**
     * Returns the salt and profiles for a normalized identifier. For an account with an earlier profile it lists both
     * profiles, so that the client upgrades; the next sign-in shows which one the account uses.
     */
    async find(identifier: string): Promise<{ salt: string; profiles: number[] }> {
      // Known and unknown identifiers run the same queries, so that the response time reveals nothing.
      const pinned = await salts.find(identifier)
      const unpinnedSalt = await unpinnedSaltOf(identifier)
      const showsEarlier = await showsEarlierProfile(identifier)
      const isEarlier = pinned ? pinned.profile < currentProfile : showsEarlier
      return { salt: pinned?.salt ?? unpinnedSalt, profiles: isEarlier ? [1, currentProfile] : [currentProfile] }
    },
    /** Stores the salt and profile of the account. Does nothing for a credential that was not derived on the client. */
    async pin(identifier: string, userId: string, credential: string): Promise<void> {
      if (!derivedCredential.test(credential)) return
      const profile = Number(credential.slice('Zk'.length, credential.indexOf('.')))
      await salts.pin({ identifier, user_id: userId, salt: await unpinnedSaltOf(identifier), profile })
    },
    /** Moves an account's salt to its new identifier; the old identifier gets an unrelated salt. */
    async renameIdentifier(userId: string, from: string | null, to: string): Promise<void> {
      if (from === null) return
      const released = { identifier_hash: hashReleased(from), salt: randomBytes(saltBytes).toString('base64url') }
      await salts.rename(userId, { from, to, released })
    },
  }
}

export type Salts = ReturnType<typeof createSalts>
