import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { LicenceType } from '@sallyport/contract/accounts'
import type { EmailedLinkStatus } from '@sallyport/contract/emailed-links'
import { messageLimits } from '@sallyport/contract/limits'
import { apiError } from '../../../errors.ts'
import { hashToken } from '../../../token-hash.ts'
import { formatLicenceKey, keyCharacters, licenceKeyNormalForm } from './licence-key.rules.ts'
import type { LicenceOffer, LicenceOffersStore, OfferKind } from './licence-offers.store.ts'

interface LicenceOffersDeps {
  readonly store: LicenceOffersStore
  readonly now: () => number
}

/** The offered licence and how many accounts can claim it. */
export interface OfferTerms {
  readonly type: LicenceType
  readonly storageBytes: number
  /** Counted from the claim; null means unlimited. */
  readonly days: number | null
  readonly seats: number | null
  readonly uses: number
}

interface InsertOptions {
  /** Random by default. */
  readonly id?: string
  /** A transaction of its own by default. */
  readonly transaction?: Parameters<LicenceOffersStore['add']>[1]
  /** When a link stops working, in epoch milliseconds; after 30 days by default. */
  readonly endsAt?: number
  /** A note for admins. */
  readonly description?: string | null
}

const tokenBytes = 32

/** Creates and finds licence offers. Only the hashes of their keys and link tokens are stored. */
export function createLicenceOffers({ store, now }: LicenceOffersDeps) {
  async function insertOffer(
    kind: OfferKind,
    secret: string,
    terms: OfferTerms,
    mailedTo: string | null,
    { id = randomUUIDv7(), transaction, endsAt, description = null }: InsertOptions,
  ): Promise<void> {
    const { type, storageBytes, days, seats, uses } = terms
    const offer = {
      id,
      kind,
      secret_hash: hashToken(secret),
      type,
      storage_limit_bytes: storageBytes,
      days,
      seats,
      uses,
      mailed_to: mailedTo,
      ends_at: kind === 'link' ? (endsAt ?? now() + messageLimits.invitationMs) : null,
      description,
      created_at: now(),
    }
    await store.add(offer, transaction)
  }

  const isUsedUp = async ({ id, uses }: LicenceOffer): Promise<boolean> =>
    (await store.countConfirmedClaims(id)) >= uses

  return {
    /** Creates a licence key. It is not stored, so it can be shown only once. */
    async createKey(terms: OfferTerms, options: InsertOptions = {}): Promise<string> {
      const key = formatLicenceKey(randomBytes(keyCharacters))
      await insertOffer('key', key, terms, null, options)
      return key
    },
    /** Creates the token of an invitation link. A token that was sent to an address also verifies that address. */
    async createLink(terms: OfferTerms, mailedTo: string | null, options: InsertOptions = {}): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url')
      await insertOffer('link', token, terms, mailedTo, options)
      return token
    },
    /** Finds the offer of a licence key without claiming it. */
    async findKey(typed: string): Promise<LicenceOffer> {
      const key = licenceKeyNormalForm(typed)
      const offer = key === null ? null : await store.find('key', hashToken(key))
      if (!offer || (offer.ends_at !== null && offer.ends_at <= now())) throw apiError('LICENSE_KEY_INVALID')
      if (await isUsedUp(offer)) throw apiError('LICENSE_KEY_USED')
      return offer
    },
    /** Finds the offer of a link token without claiming it. Returns null if the token is unknown, expired or used up. */
    async findLink(token: string): Promise<LicenceOffer | null> {
      const offer = await store.find('link', hashToken(token))
      if (!offer || (offer.ends_at ?? 0) <= now() || (await isUsedUp(offer))) return null
      return offer
    },
    /** Returns whether an invitation link still works, or null for an unknown one. Does not claim it. */
    async getLinkStatus(token: string): Promise<EmailedLinkStatus | null> {
      const offer = await store.find('link', hashToken(token))
      if (!offer) return null
      if (await isUsedUp(offer)) return 'used'
      return (offer.ends_at ?? 0) > now() ? 'unused' : 'expired'
    },
    claim: store.claim,
  }
}

export type LicenceOffers = ReturnType<typeof createLicenceOffers>
