import { randomUUIDv7 } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { apiError } from '../../../errors.ts'
import { countRows } from '../../../platform/db/count-rows.ts'
import { isSqlite } from '../../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { markStale } from './effective-licences.store.ts'
import { addDays, type Licence, type LicenceSource, parseLicence } from './licence.rules.ts'
import { grantLicence } from './licences.store.ts'

export type LicenceOffer = Selectable<Tables['licence_offers']>
export type OfferKind = 'key' | 'link'

interface ClaimInput {
  readonly offerId: string
  readonly userId: string
  readonly now: number
}

/** SQL for licence offers, which are claimed with a licence key or an invitation link. */
export function createLicenceOffersStore(db: Database) {
  return {
    async add(offer: LicenceOffer, connection: Database | DatabaseTransaction = db): Promise<void> {
      await connection.insertInto('licence_offers').values(offer).execute()
    },
    async find(kind: OfferKind, secretHash: string): Promise<LicenceOffer | null> {
      const offers = db.selectFrom('licence_offers').selectAll().where('kind', '=', kind)
      return (await offers.where('secret_hash', '=', secretHash).executeTakeFirst()) ?? null
    },
    countConfirmedClaims: (offerId: string) => countConfirmed(db, offerId),
    /** Grants the licence of the offer to an existing account. */
    claim: (claim: ClaimInput) => db.transaction().execute((transaction) => claimOffer(transaction, claim)),
  }
}

export type LicenceOffersStore = ReturnType<typeof createLicenceOffersStore>

/**
 * Grants the licence of the offer to an account, or throws and changes nothing. A claim becomes final when its account is
 * confirmed. Until then another claim of the same key or link can replace it, so that a mistyped address does not use up
 * the offer.
 */
export async function claimOffer(
  transaction: DatabaseTransaction,
  { offerId, userId, now }: ClaimInput,
): Promise<void> {
  const offer = await lockOffer(transaction, offerId)
  if (!offer || (offer.ends_at !== null && offer.ends_at <= now)) throw apiError('INVITATION_INVALID')
  const claims = transaction.selectFrom('licence_claims').where('offer_id', '=', offerId)
  const ownClaim = await claims.select('id').where('user_id', '=', userId).executeTakeFirst()
  // Claiming again must not extend the licence.
  if (ownClaim) return
  await ensureUseAvailable(transaction, offer)
  await transaction
    .insertInto('licence_claims')
    .values({ id: randomUUIDv7(), offer_id: offerId, user_id: userId, claimed_at: now })
    .execute()
  await grantLicence(transaction, { userId, source: sourceOf(offer), licence: licenceOfOffer(offer, now), now })
}

async function ensureUseAvailable(transaction: DatabaseTransaction, offer: LicenceOffer): Promise<void> {
  const { uses } = offer
  if ((await countConfirmed(transaction, offer.id)) >= uses) throw apiError(usedUpCode(offer))
  const existing = await transaction
    .selectFrom('licence_claims')
    .select(['id', 'user_id'])
    .where('offer_id', '=', offer.id)
    .orderBy('claimed_at')
    .execute()
  if (existing.length < uses) return
  const unconfirmed = await transaction
    .selectFrom('users')
    .select('id')
    .where(
      'id',
      'in',
      existing.flatMap(({ user_id }) => user_id ?? []),
    )
    .where('email_confirmed_at', 'is', null)
    .where('phone_confirmed_at', 'is', null)
    .execute()
  const oldest = existing.find(({ user_id }) => unconfirmed.some(({ id }) => id === user_id))
  if (!oldest?.user_id) throw apiError(usedUpCode(offer))
  await transaction.deleteFrom('licence_claims').where('id', '=', oldest.id).execute()
  await transaction
    .deleteFrom('licences')
    .where('user_id', '=', oldest.user_id)
    .where('source', '=', sourceOf(offer))
    .execute()
  await markStale(transaction, oldest.user_id, offer.type)
}

/** Locks the offer against concurrent claims until the transaction ends. */
async function lockOffer(transaction: DatabaseTransaction, offerId: string): Promise<LicenceOffer | null> {
  const found = transaction.selectFrom('licence_offers').selectAll().where('id', '=', offerId)
  const locking = isSqlite(transaction) ? found : found.forUpdate()
  return (await locking.executeTakeFirst()) ?? null
}

/** A claim that no other account can take over: of a confirmed or of a deleted account. */
export const isLastingClaim = (row: ExpressionBuilder<Tables, 'licence_claims' | 'users'>) =>
  row.or([
    row('licence_claims.user_id', 'is', null),
    row('users.email_confirmed_at', 'is not', null),
    row('users.phone_confirmed_at', 'is not', null),
  ])

/** Counts the claims of confirmed and of deleted accounts. */
async function countConfirmed(db: Database | DatabaseTransaction, offerId: string): Promise<number> {
  return countRows(
    db
      .selectFrom('licence_claims')
      .leftJoin('users', 'users.id', 'licence_claims.user_id')
      .where('offer_id', '=', offerId)
      .where(isLastingClaim),
  )
}

const sourceOf = ({ kind }: LicenceOffer): LicenceSource => (kind === 'key' ? 'licence-key' : 'magic-link')

const usedUpCode = ({ kind }: LicenceOffer) => (kind === 'key' ? 'LICENSE_KEY_USED' : 'INVITATION_INVALID')

/** The licence that the offer grants when it is claimed now. */
function licenceOfOffer(offer: LicenceOffer, now: number): Licence {
  const expires_at = addDays(offer.days, now)
  const licence = parseLicence({ ...offer, expires_at, source: sourceOf(offer) })
  if (!licence) throw apiError('LICENSE_PARSE_FAILED', { cause: new Error(`The offer ${offer.id} cannot be read`) })
  return licence
}
