import { sql } from 'kysely'
import { countRows } from '../../../platform/db/count-rows.ts'
import { countOnDay } from '../../../platform/db/daily-counts.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { countDownloadsOf } from '../uploads/storage-use.store.ts'
import { downloadThreshold, maxBytesPerDownload } from './share-budget.rules.ts'

/** One download of a share, in any number of requests. */
export interface Claim {
  readonly shareId: string
  readonly claimHash: string
}

interface HoldSlotInput extends Claim {
  readonly now: number
  readonly heldUntil: number
  /** Size of the whole file, and of the requested part. */
  readonly sealedBytes: number
  readonly askedBytes: number
}

interface ReserveBytesInput extends Claim {
  readonly now: number
  readonly sealedBytes: number
  readonly bytes: number
}

/** `busy` while downloads in progress hold the last slots; `used-up` once all of them are counted. */
export type SlotResult = 'held' | 'busy' | 'used-up'

export interface CountedDownload {
  readonly ownerId: string
  readonly fileId: string
  /** All downloads of the file. */
  readonly downloads: number
  readonly plainBytes: number
}

interface Grant {
  /** 0 when the share allows no more. */
  readonly bytes: number
  /** Set when these bytes made the claim count as a download. */
  readonly counted: CountedDownload | null
}

/** SQL for downloads of shares: counted ones, and those in progress that hold a slot of a limited share. */
export function createShareClaimsStore(db: Database) {
  return {
    /** Holds a slot of a limited share for a claim. */
    async holdSlot({
      shareId,
      claimHash,
      now,
      heldUntil,
      sealedBytes,
      askedBytes,
    }: HoldSlotInput): Promise<SlotResult> {
      return db.transaction().execute(async (transaction) => {
        const share = await lock(transaction, shareId)
        if (!share) return 'used-up'
        const existing = await findClaim(transaction, { shareId, claimHash })
        const hasBytesLeft =
          existing !== undefined && existing.served_bytes + askedBytes <= maxBytesPerDownload(sealedBytes)
        if (existing?.served_at && hasBytesLeft) return 'held'

        const { max_downloads: most, downloads } = share
        if (most !== null && downloads >= most) return 'used-up'
        const held = await countRows(
          transaction
            .selectFrom('share_claims')
            .where('share_id', '=', shareId)
            .where('claim_hash', '!=', claimHash)
            .where('served_at', 'is', null)
            .where('held_until', '>', now),
        )
        if (most !== null && downloads + held >= most) return 'busy'

        await transaction
          .deleteFrom('share_claims')
          .where('share_id', '=', shareId)
          .where('claim_hash', '!=', claimHash)
          .where('served_at', 'is', null)
          .where('held_until', '<=', now)
          .execute()
        // A claim that starts over is a new download; the bytes served before stay counted for the share.
        const served = hasBytesLeft ? existing.served_bytes : 0
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
     * Reserves bytes of a limited share before they are sent. A claim counts as a download once it was served more than
     * half of the file, and so does the claim whose bytes bring the total of all uncounted claims over that.
     */
    async reserveBytes({ bytes, sealedBytes, now, ...claim }: ReserveBytesInput): Promise<Grant> {
      return db.transaction().execute(async (transaction) => {
        const share = await lock(transaction, claim.shareId)
        const existing = share && (await findClaim(transaction, claim))
        if (!share || !existing) return { bytes: 0, counted: null }
        const granted = Math.min(bytes, maxBytesPerDownload(sealedBytes) - existing.served_bytes)
        if (granted <= 0) return { bytes: 0, counted: null }

        const uncounted = share.uncounted_bytes + granted
        const isDownload = Math.max(existing.served_bytes + granted, uncounted) > downloadThreshold(sealedBytes)
        const isUsedUp = share.max_downloads !== null && share.downloads >= share.max_downloads
        if (!existing.served_at && isDownload && isUsedUp) return { bytes: 0, counted: null }
        const counted = !existing.served_at && isDownload ? await countClaim(transaction, claim, now) : null
        await addServed(transaction, claim, granted)
        return { bytes: granted, counted }
      })
    },

    /** Releases bytes that were reserved and not sent. */
    async releaseBytes(claim: Claim, bytes: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (await lock(transaction, claim.shareId)) await addServed(transaction, claim, -bytes)
      })
    },

    /** Extends the slot of a download in progress. */
    async extendSlot({ shareId, claimHash }: Claim, heldUntil: number): Promise<void> {
      await db
        .updateTable('share_claims')
        .set({ held_until: heldUntil })
        .where('share_id', '=', shareId)
        .where('claim_hash', '=', claimHash)
        .where('held_until', '<', heldUntil)
        .execute()
    },

    /** Ends a slot earlier than it was held for. */
    async shortenSlot({ shareId, claimHash }: Claim, heldUntil: number): Promise<void> {
      await db
        .updateTable('share_claims')
        .set({ held_until: heldUntil })
        .where('share_id', '=', shareId)
        .where('claim_hash', '=', claimHash)
        .where('held_until', '>', heldUntil)
        .execute()
    },

    /** Counts a download for the share and its file; null when the claim is counted already or the share is deleted. */
    async countDownload(claim: Claim, now: number): Promise<CountedDownload | null> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lock(transaction, claim.shareId))) return null
        return countClaim(transaction, claim, now)
      })
    },
  }
}

export type ShareClaimsStore = ReturnType<typeof createShareClaimsStore>

/** Serializes the claims of a share; an update that changes nothing locks its row on both databases. */
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

/**
 * Bytes of a claim that is no download yet are counted for the share as well: they remain when the claim is deleted.
 */
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
    .returning(['owner_id', 'downloads', 'plain_bytes'])
    .executeTakeFirstOrThrow()
  await countDownloadsOf(transaction, { userId: file.owner_id, by: 'share', count: 1 })
  await countOnDay(transaction, now, { downloads: 1, downloaded_bytes: file.plain_bytes })
  return { ownerId: file.owner_id, fileId, downloads: file.downloads, plainBytes: file.plain_bytes }
}
