import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../db/schema.ts'

/** One download of a share, in however many requests. */
export interface Claim {
  readonly shareId: string
  readonly claimHash: string
}

interface PlaceWanted extends Claim {
  readonly now: number
  readonly heldUntil: number
  /** What was served after this moment may be repeated without counting again. */
  readonly repeatableFrom: number
}

/** `busy` while downloads under way hold the last places; `used-up` once all of them are counted. */
export type Place = 'held' | 'busy' | 'used-up'

export interface CountedDownload {
  readonly ownerId: string
  readonly fileId: string
  /** Of the file, by all ways. */
  readonly downloads: number
}

/** SQL for downloads of shares: those that are counted, and those under way that hold a place of a limited share. */
export function createShareClaimsStore(db: Database) {
  return {
    /** Holds a place for a claim on a share that is limited. */
    async hold({ shareId, claimHash, now, heldUntil, repeatableFrom }: PlaceWanted): Promise<Place> {
      return db.transaction().execute(async (transaction) => {
        const share = await lock(transaction, shareId)
        if (!share) return 'used-up'
        const claims = transaction.selectFrom('share_claims').where('share_id', '=', shareId)
        const mine = await claims.select('served_at').where('claim_hash', '=', claimHash).executeTakeFirst()
        if (mine?.served_at && mine.served_at > repeatableFrom) return 'held'

        const { max_downloads: most, downloads } = share
        if (most !== null && downloads >= most) return 'used-up'
        const { held } = await claims
          .select((row) => row.fn.countAll<number>().as('held'))
          .where('claim_hash', '!=', claimHash)
          .where('served_at', 'is', null)
          .where('held_until', '>', now)
          .executeTakeFirstOrThrow()
        if (most !== null && downloads + Number(held) >= most) return 'busy'

        await transaction
          .deleteFrom('share_claims')
          .where('share_id', '=', shareId)
          .where('served_at', 'is', null)
          .where('held_until', '<=', now)
          .execute()
        await transaction
          .insertInto('share_claims')
          .values({ share_id: shareId, claim_hash: claimHash, held_until: heldUntil, served_at: null })
          .onConflict((conflict) =>
            conflict.columns(['share_id', 'claim_hash']).doUpdateSet({ held_until: heldUntil, served_at: null }),
          )
          .execute()
        return 'held'
      })
    },

    /** Lets a place go earlier than it was held for. */
    async shorten({ shareId, claimHash }: Claim, heldUntil: number): Promise<void> {
      await db
        .updateTable('share_claims')
        .set({ held_until: heldUntil })
        .where('share_id', '=', shareId)
        .where('claim_hash', '=', claimHash)
        .where('held_until', '>', heldUntil)
        .execute()
    },

    /** Counts for the share and for its file; null when this claim is counted already, or the share is gone. */
    async count({ shareId, claimHash }: Claim, now: number): Promise<CountedDownload | null> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lock(transaction, shareId))) return null
        const isFirst = await transaction
          .insertInto('share_claims')
          .values({ share_id: shareId, claim_hash: claimHash, held_until: now, served_at: now })
          .onConflict((conflict) =>
            conflict
              .columns(['share_id', 'claim_hash'])
              .doUpdateSet({ served_at: now })
              .where('share_claims.served_at', 'is', null),
          )
          .returning('share_id')
          .executeTakeFirst()
        if (!isFirst) return null
        const { file_id: fileId } = await transaction
          .updateTable('shares')
          .set({ downloads: sql<number>`downloads + 1`, last_download_at: now })
          .where('id', '=', shareId)
          .returning('file_id')
          .executeTakeFirstOrThrow()
        const file = await transaction
          .updateTable('files')
          .set({ downloads: sql<number>`downloads + 1` })
          .where('id', '=', fileId)
          .returning(['owner_id', 'downloads'])
          .executeTakeFirstOrThrow()
        return { ownerId: file.owner_id, fileId, downloads: file.downloads }
      })
    },
  }
}

export type ShareClaimsStore = ReturnType<typeof createShareClaimsStore>

/** Claims on one share are looked at one after the other; a change of nothing locks its row on both databases. */
async function lock(transaction: DatabaseTransaction, shareId: string) {
  return transaction
    .updateTable('shares')
    .set({ downloads: sql<number>`downloads` })
    .where('id', '=', shareId)
    .returning(['downloads', 'max_downloads'])
    .executeTakeFirst()
}
