import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { LicenceType } from '@sallyport/contract/accounts'
import { messageLimits } from '@sallyport/contract/limits'
import { refuse } from '../errors.ts'
import { hashOfToken } from '../token-hash.ts'
import { formatLicenceKey, keyCharacters, licenceKeyNormalForm } from './licence-key.rules.ts'
import type { LicenceOffer, LicenceOffersStore, OfferKind } from './licence-offers.store.ts'

interface Parts {
  readonly store: LicenceOffersStore
  readonly now: () => number
}

/** What is offered, and how often it can be taken up. */
export interface OfferTerms {
  readonly type: LicenceType
  readonly storageBytes: number
  /** From the day it is taken up; null never ends. */
  readonly days: number | null
  readonly seats: number | null
  readonly uses: number
}

const tokenBytes = 32

/** Makes and finds licences that are handed out as a key or a link. What opens them is kept as a hash only. */
export function createLicenceOffers({ store, now }: Parts) {
  async function add(kind: OfferKind, secret: string, terms: OfferTerms, mailedTo: string | null): Promise<void> {
    const { type, storageBytes, days, seats, uses } = terms
    await store.add({
      id: randomUUIDv7(),
      kind,
      secret_hash: hashOfToken(secret),
      type,
      storage_limit_bytes: storageBytes,
      days,
      seats,
      uses,
      mailed_to: mailedTo,
      ends_at: kind === 'link' ? now() + messageLimits.invitationMs : null,
      created_at: now(),
    })
  }

  const isUsedUp = async ({ id, uses }: LicenceOffer): Promise<boolean> => (await store.settledClaims(id)) >= uses

  return {
    /** A new licence key; it is shown this once. */
    async makeKey(terms: OfferTerms): Promise<string> {
      const key = formatLicenceKey(randomBytes(keyCharacters))
      await add('key', key, terms, null)
      return key
    },
    /** The secret part of a new link; it is shown this once. Mailed to an address, it also proves that address. */
    async makeLink(terms: OfferTerms, mailedTo: string | null): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url')
      await add('link', token, terms, mailedTo)
      return token
    },
    /** What a key gives; asking uses nothing up. */
    async findKey(typed: string): Promise<LicenceOffer> {
      const key = licenceKeyNormalForm(typed)
      const offer = key === null ? null : await store.find('key', hashOfToken(key))
      if (!offer) throw refuse('LICENSE_KEY_INVALID')
      if (await isUsedUp(offer)) throw refuse('LICENSE_KEY_USED')
      return offer
    },
    /** What a link gives, or null when it gives nothing (any more); asking uses nothing up. */
    async findLink(token: string): Promise<LicenceOffer | null> {
      const offer = await store.find('link', hashOfToken(token))
      if (!offer || (offer.ends_at ?? 0) <= now() || (await isUsedUp(offer))) return null
      return offer
    },
    claim: store.claim,
  }
}

export type LicenceOffers = ReturnType<typeof createLicenceOffers>
