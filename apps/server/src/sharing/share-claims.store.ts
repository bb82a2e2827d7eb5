import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../db/schema.ts'
import { bytesPerDownload, partOfDownload } from './share-budget.rules.ts'

/** One download of a share, in however many requests. */
export interface Claim {
  readonly shareId: string
  readonly claimHash: string
}

interface PlaceWanted extends Claim {
  readonly now: number
  readonly heldUntil: number
  /** Of the whole file, and of what is asked for now. */
  readonly sealedBytes: number
  readonly askedBytes: number
}

interface BytesWanted extends Claim {
  readonly now: number
  readonly sealedBytes: number
  readonly bytes: number
}

/** `busy` while downloads under way hold the last places; `used-up` once all of them are counted. */
export type Place = 'held' | 'busy' | 'used-up'

export interface CountedDownload {
  readonly ownerId: string
  readonly fileId: string
  /** Of the file, by all ways. */
  readonly downloads: number
}

interface Grant {
  /** 0 when the share allows no more. */
  readonly bytes: number
  /** When these bytes have made the claim a download. */
  readonly counted: CountedDownload | null
}

/** SQL for downloads of shares: those that are counted, and those under way that hold a place of a limited share. */
export function createShareClaimsStore(db: Database) {
  return {
    /** Holds a place for a claim on a share that is limited. */
    async hold({ shareId, claimHash, now, heldUntil, sealedBytes, askedBytes }: PlaceWanted): Promise<Place> {
      return db.transaction().execute(async (transaction) => {
        const share = await lock(transaction, shareId)
        if (!share) return 'used-up'
        const mine = await findClaim(transaction, { shareId, claimHash })
        const hasRoom = mine !== undefined && mine.served_bytes + askedBytes <= bytesPerDownload(sealedBytes)
        if (mine?.served_at && hasRoom) return 'held'

        const { max_downloads: most, downloads } = share
        if (most !== null && downloads >= most) return 'used-up'
        const { held } = await transaction
          .selectFrom('share_claims')
          .select((row) => row.fn.countAll<number>().as('held'))
          .where('share_id', '=', shareId)
          .where('claim_hash', '!=', claimHash)
          .where('served_at', 'is', null)
          .where('held_until', '>', now)
          .executeTakeFirstOrThrow()
        if (most !== null && downloads + Number(held) >= most) return 'busy'

        await transaction
          .deleteFrom('share_claims')
          .where('share_id', '=', shareId)
          .where('claim_hash', '!=', claimHash)
          .where('served_at', 'is', null)
          .where('held_until', '<=', now)
          .execute()
        // A claim that starts over is a download of its own; what it was served before stays booked with the share.
        const served = hasRoom ? mine.served_bytes : 0
        await transaction
          .insertInto('share_claims')
          .values({ share_id: shareId, claim_hash: claimHash, held_until: heldUntil, served_at: null, served_bytes: 0 })
          .onConflict((conflict) =>
            conflict
              .columns(['share_id', 'claim_hash'])
              .doUpdateSet({ held_until: heldUntil, served_at: null, served_bytes: served }),
          )
          .execute()
        return 'held'
      })
    },

    /**
     * Books bytes of a limited share before they are sent. A claim becomes a download with more than half of the file, and
     * so does one with which all those that never became one have been served more than that together.
     */
    async take({ bytes, sealedBytes, now, ...claim }: BytesWanted): Promise<Grant> {
      return db.transaction().execute(async (transaction) => {
        const share = await lock(transaction, claim.shareId)
        const mine = share && (await findClaim(transaction, claim))
        if (!share || !mine) return { bytes: 0, counted: null }
        const granted = Math.min(bytes, bytesPerDownload(sealedBytes) - mine.served_bytes)
        if (granted <= 0) return { bytes: 0, counted: null }

        const uncounted = share.uncounted_bytes + granted
        const isDownload = Math.max(mine.served_bytes + granted, uncounted) > partOfDownload(sealedBytes)
        const isUsedUp = share.max_downloads !== null && share.downloads >= share.max_downloads
        if (!mine.served_at && isDownload && isUsedUp) return { bytes: 0, counted: null }
        const counted = !mine.served_at && isDownload ? await countClaim(transaction, claim, now) : null
        await addServed(transaction, claim, granted)
        return { bytes: granted, counted }
      })
    },

    /** Returns bytes that were booked and not sent. */
    async giveBack(claim: Claim, bytes: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (await lock(transaction, claim.shareId)) await addServed(transaction, claim, -bytes)
      })
    },

    /** Holds the place of a download under way for longer. */
    async extend({ shareId, claimHash }: Claim, heldUntil: number): Promise<void> {
      await db
        .updateTable('share_claims')
        .set({ held_until: heldUntil })
        .where('share_id', '=', shareId)
        .where('claim_hash', '=', claimHash)
        .where('held_until', '<', heldUntil)
        .execute()
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
    async count(claim: Claim, now: number): Promise<CountedDownload | null> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lock(transaction, claim.shareId))) return null
        return countClaim(transaction, claim, now)
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
    .returning(['downloads', 'max_downloads', 'uncounted_bytes'])
    .executeTakeFirst()
}

async function findClaim(transaction: DatabaseTransaction, { shareId, claimHash }: Claim) {
  return transaction
    .selectFrom('share_claims')
    .select(['served_at', 'served_bytes'])
    .where('share_id', '=', shareId)
    .where('claim_hash', '=', claimHash)
    .executeTakeFirst()
}

/** Bytes of a claim that is no download yet are booked with the share as well: they stay there when the claim goes. */
async function addServed(transaction: DatabaseTransaction, { shareId, claimHash }: Claim, bytes: number) {
  const claim = await transaction
    .updateTable('share_claims')
    .set((row) => ({ served_bytes: row('served_bytes', '+', bytes) }))
    .where('share_id', '=', shareId)
    .where('claim_hash', '=', claimHash)
    .returning('served_at')
    .executeTakeFirst()
  if (claim?.served_at) return
  await transaction
    .updateTable('shares')
    .set((row) => ({ uncounted_bytes: row('uncounted_bytes', '+', bytes) }))
    .where('id', '=', shareId)
    .execute()
}

async function countClaim(
  transaction: DatabaseTransaction,
  { shareId, claimHash }: Claim,
  now: number,
): Promise<CountedDownload | null> {
  const isFirst = await transaction
    .insertInto('share_claims')
    .values({ share_id: shareId, claim_hash: claimHash, held_until: now, served_at: now, served_bytes: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['share_id', 'claim_hash'])
        .doUpdateSet({ served_at: now })
        .where('share_claims.served_at', 'is', null),
    )
    .returning('served_bytes')
    .executeTakeFirst()
  if (!isFirst) return null
  const { file_id: fileId } = await transaction
    .updateTable('shares')
    .set((row) => ({
      downloads: row('downloads', '+', 1),
      last_download_at: now,
      uncounted_bytes: row('uncounted_bytes', '-', isFirst.served_bytes),
    }))
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
}
