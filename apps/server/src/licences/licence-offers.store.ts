import { randomUUIDv7 } from 'node:crypto'
import { isSqlite } from '../db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { refuse } from '../errors.ts'
import { endAfter, type Licence, type LicenceSource, readLicence } from './licence.rules.ts'
import { grantLicence } from './licences.store.ts'

export type LicenceOffer = Tables['licence_offers']
export type OfferKind = 'key' | 'link'

interface Claim {
  readonly offerId: string
  readonly userId: string
  readonly now: number
}

/** SQL for licences that are handed out as a key or a link, to whoever brings it. */
export function createLicenceOffersStore(db: Database) {
  return {
    async add(offer: LicenceOffer): Promise<void> {
      await db.insertInto('licence_offers').values(offer).execute()
    },
    async find(kind: OfferKind, secretHash: string): Promise<LicenceOffer | null> {
      const offers = db.selectFrom('licence_offers').selectAll().where('kind', '=', kind)
      return (await offers.where('secret_hash', '=', secretHash).executeTakeFirst()) ?? null
    },
    settledClaims: (offerId: string) => countSettled(db, offerId),
    /** Gives an account that is there already what the offer holds. */
    claim: (claim: Claim) => db.transaction().execute((transaction) => claimOffer(transaction, claim)),
  }
}

export type LicenceOffersStore = ReturnType<typeof createLicenceOffersStore>

/**
 * Gives an account what the offer holds, or refuses and changes nothing. A claim counts once its account is confirmed,
 * and then for ever; until then it makes room for the next who brings the same key or link, so that a mistyped address
 * uses nothing up.
 */
export async function claimOffer(transaction: DatabaseTransaction, { offerId, userId, now }: Claim): Promise<void> {
  const offer = await lockOffer(transaction, offerId)
  if (!offer || (offer.ends_at !== null && offer.ends_at <= now)) throw refuse('INVITATION_INVALID')
  const claims = transaction.selectFrom('licence_claims').where('offer_id', '=', offerId)
  const own = await claims.select('id').where('user_id', '=', userId).executeTakeFirst()
  if (!own) {
    await makeRoom(transaction, offer)
    await transaction
      .insertInto('licence_claims')
      .values({ id: randomUUIDv7(), offer_id: offerId, user_id: userId, claimed_at: now })
      .execute()
  }
  await grantLicence(transaction, { userId, source: sourceOf(offer), licence: termsOf(offer, now), now })
}

async function makeRoom(transaction: DatabaseTransaction, offer: LicenceOffer): Promise<void> {
  const { uses } = offer
  if ((await countSettled(transaction, offer.id)) >= uses) throw refuse(usedUp(offer))
  const held = await transaction
    .selectFrom('licence_claims')
    .select(['id', 'user_id'])
    .where('offer_id', '=', offer.id)
    .orderBy('claimed_at')
    .execute()
  if (held.length < uses) return
  const unsettled = await transaction
    .selectFrom('users')
    .select('id')
    .where(
      'id',
      'in',
      held.flatMap(({ user_id }) => user_id ?? []),
    )
    .where('email_confirmed_at', 'is', null)
    .where('phone_confirmed_at', 'is', null)
    .execute()
  const oldest = held.find(({ user_id }) => unsettled.some(({ id }) => id === user_id))
  if (!oldest?.user_id) throw refuse(usedUp(offer))
  await transaction.deleteFrom('licence_claims').where('id', '=', oldest.id).execute()
  await transaction
    .deleteFrom('licences')
    .where('user_id', '=', oldest.user_id)
    .where('source', '=', sourceOf(offer))
    .execute()
}

/** Nobody else claims this offer until the transaction ends. */
async function lockOffer(transaction: DatabaseTransaction, offerId: string): Promise<LicenceOffer | null> {
  const found = transaction.selectFrom('licence_offers').selectAll().where('id', '=', offerId)
  const locking = isSqlite(transaction) ? found : found.forUpdate()
  return (await locking.executeTakeFirst()) ?? null
}

/** Claims of confirmed accounts, and of accounts that are gone. */
async function countSettled(db: Database | DatabaseTransaction, offerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('licence_claims')
    .leftJoin('users', 'users.id', 'licence_claims.user_id')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('offer_id', '=', offerId)
    .where((row) =>
      row.or([
        row('licence_claims.user_id', 'is', null),
        row('users.email_confirmed_at', 'is not', null),
        row('users.phone_confirmed_at', 'is not', null),
      ]),
    )
    .executeTakeFirstOrThrow()
  return count
}

const sourceOf = ({ kind }: LicenceOffer): LicenceSource => (kind === 'key' ? 'licence-key' : 'magic-link')

const usedUp = ({ kind }: LicenceOffer) => (kind === 'key' ? 'LICENSE_KEY_USED' : 'INVITATION_INVALID')

/** What the offer gives to somebody who takes it up now. */
function termsOf(offer: LicenceOffer, now: number): Licence {
  const expires_at = endAfter(offer.days, now)
  const terms = readLicence({ ...offer, expires_at, source: sourceOf(offer) })
  if (!terms) throw refuse('LICENSE_PARSE_FAILED', { cause: new Error(`The offer ${offer.id} cannot be read`) })
  return terms
}
