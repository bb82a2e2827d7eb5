import { sql } from 'kysely'
import type { Database } from '../db/schema.ts'

export interface NewShare {
  readonly id: string
  readonly tokenHash: string
  /** Tells which share key wrapped the file's key. */
  readonly keyId: string
  readonly wrappedKey: string
  readonly proofHash: string | null
  readonly createdAt: number
}

export interface SharedFile {
  readonly shareId: string
  readonly id: string
  readonly volume: string
  readonly sealedName: string
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed bytes of every object but the last. */
  readonly objectBytes: number
  readonly expiresAt: number
  /** The file's key, wrapped with the share key. */
  readonly wrappedKey: string
  /** Null when the address alone opens the bytes. */
  readonly proofHash: string | null
}

/** SQL for shares. A file has one for each share key, and they end with it. */
export function createSharesStore(db: Database) {
  const liveFile = (ownerId: string, fileId: string, now: number) =>
    db
      .selectFrom('files')
      .select('files.wrapped_key')
      .where('files.owner_id', '=', ownerId)
      .where('files.id', '=', fileId)
      .where('files.expires_at', '>', now)

  return {
    /** The key of a file wrapped for its owner, or null when there is no such file. */
    async findWrappedKey(ownerId: string, fileId: string, now: number): Promise<string | null> {
      const row = await liveFile(ownerId, fileId, now).executeTakeFirst()
      return row?.wrapped_key ?? null
    },

    /** Shares a file and answers the id of the share, which is an older one when the share key is the same. */
    async add(fileId: string, share: NewShare): Promise<string> {
      const { id } = await db
        .insertInto('shares')
        .values({
          id: share.id,
          file_id: fileId,
          token_hash: share.tokenHash,
          key_id: share.keyId,
          wrapped_key: share.wrappedKey,
          proof_hash: share.proofHash,
          downloads: 0,
          created_at: share.createdAt,
        })
        .onConflict((conflict) =>
          conflict.columns(['file_id', 'key_id']).doUpdateSet((row) => ({
            proof_hash: row.fn.coalesce('shares.proof_hash', 'excluded.proof_hash'),
          })),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async findNewest(fileId: string): Promise<string | null> {
      const row = await db
        .selectFrom('shares')
        .select('id')
        .where('file_id', '=', fileId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return row?.id ?? null
    },

    /** True when there was something to end. */
    async removeAll(ownerId: string, fileId: string): Promise<boolean> {
      const result = await db
        .deleteFrom('shares')
        .where('file_id', 'in', (query) =>
          query.selectFrom('files').select('id').where('id', '=', fileId).where('owner_id', '=', ownerId),
        )
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },

    async findFile(tokenHash: string, now: number): Promise<SharedFile | null> {
      const row = await db
        .selectFrom('shares')
        .innerJoin('files', 'files.id', 'shares.file_id')
        .select([
          'shares.id as share_id',
          'shares.wrapped_key',
          'shares.proof_hash',
          'files.id',
          'files.volume',
          'files.sealed_name',
          'files.sealed_bytes',
          'files.record_bytes',
          'files.object_bytes',
          'files.expires_at',
        ])
        .where('shares.token_hash', '=', tokenHash)
        .where('files.expires_at', '>', now)
        .executeTakeFirst()
      if (!row) return null
      return {
        shareId: row.share_id,
        id: row.id,
        volume: row.volume,
        sealedName: row.sealed_name,
        sealedBytes: row.sealed_bytes,
        recordBytes: row.record_bytes,
        objectBytes: row.object_bytes,
        expiresAt: row.expires_at,
        wrappedKey: row.wrapped_key,
        proofHash: row.proof_hash,
      }
    },

    /** Counts for the share and for its file. */
    async countDownload(shareId: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const share = await transaction
          .updateTable('shares')
          .set({ downloads: sql<number>`downloads + 1` })
          .where('id', '=', shareId)
          .returning('file_id')
          .executeTakeFirst()
        if (!share) return
        await transaction
          .updateTable('files')
          .set({ downloads: sql<number>`downloads + 1` })
          .where('id', '=', share.file_id)
          .execute()
      })
    },
  }
}

export type SharesStore = ReturnType<typeof createSharesStore>
