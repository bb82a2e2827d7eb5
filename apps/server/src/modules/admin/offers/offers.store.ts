import { LicenceType } from '@sallyport/contract/licence-types'
import { sql } from 'kysely'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { isLastingClaim } from '../../accounts/licences/licence-offers.store.ts'

/** SQL for the invitations and licence keys that admins see. Their secrets are hashes, which are not read. */
export function createOffersStore(db: Database) {
  return {
    /** The newest offers, and how many accounts have claimed each. */
    async list(limit: number) {
      const rows = await db
        .selectFrom('licence_offers')
        .select(['id', 'kind', 'type', 'storage_limit_bytes', 'seats', 'description', 'uses', 'created_at', 'ends_at'])
        .select(({ selectFrom }) =>
          selectFrom('licence_claims')
            .leftJoin('users', 'users.id', 'licence_claims.user_id')
            .whereRef('licence_claims.offer_id', '=', 'licence_offers.id')
            .where(isLastingClaim)
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .as('claimed'),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ kind, type, claimed, ...row }) => ({
        ...row,
        kind: kind === 'key' ? ('key' as const) : ('link' as const),
        type: LicenceType.parse(type),
        claimed: Number(claimed),
      }))
    },

    /** Ends an offer now, unless it has ended. Returns false if there is none. */
    async end(id: string, now: number, transaction: DatabaseTransaction): Promise<boolean> {
      return hasChanged(
        transaction
          .updateTable('licence_offers')
          .set({
            ends_at: sql<number>`case when ends_at is not null and ends_at <= ${now} then ends_at else ${now} end`,
          })
          .where('id', '=', id),
      )
    },
  }
}

export type OffersStore = ReturnType<typeof createOffersStore>
