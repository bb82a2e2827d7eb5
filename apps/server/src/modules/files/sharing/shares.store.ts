import { countRows, hasChanged } from '../../../platform/db/count-rows.ts'
import { countOnDay } from '../../../platform/db/daily-counts.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import type { SealedFile } from '../../../platform/storage/sealed-response.ts'

export interface NewShare {
  readonly id: string
  readonly tokenHash: string
  /** Identifies the share key that wrapped the file key. */
  readonly keyId: string
  readonly wrappedKey: string
  readonly proofHash: string | null
  readonly createdAt: number
  readonly options: ShareOptions
}

/** The options that an owner can set; omitted ones stay unchanged. */
export interface ShareOptions {
  readonly maxDownloads?: number | null | undefined
  /** Sealed. */
  readonly label?: string | null | undefined
}

export interface Share {
  readonly id: string
  readonly downloads: number
  readonly lastDownloadAt: number | null
  readonly maxDownloads: number | null
  readonly label: string | null
}

export interface SharedFile extends SealedFile {
  readonly shareId: string
  readonly expiresAt: number
  /** The file key, wrapped with the share key. */
  readonly wrappedKey: string
  /** Null when no proof is required for the bytes. */
  readonly proofHash: string | null
  readonly downloads: number
  readonly maxDownloads: number | null
}

/** SQL for shares. A file has one per share key, and they are deleted with it. */
export function createSharesStore(db: Database) {
  const liveFile = (ownerId: string, fileId: string, now: number) =>
    db
      .selectFrom('files')
      .select('files.wrapped_key')
      .where('files.owner_id', '=', ownerId)
      .where('files.id', '=', fileId)
      .where('files.session_id', 'is', null)
      .where('files.expires_at', '>', now)

  return {
    /** The file key wrapped for the owner, or null when there is no such file. */
    async findWrappedKey(ownerId: string, fileId: string, now: number): Promise<string | null> {
      const row = await liveFile(ownerId, fileId, now).executeTakeFirst()
      return row?.wrapped_key ?? null
    },

    /** Inserts a share and returns it, or the existing one with the same share key; null when the file has too many. */
    async add(fileId: string, maxShares: number, { options, ...share }: NewShare): Promise<Share | null> {
      const { maxDownloads, label } = options
      return db.transaction().execute(async (transaction) => {
        const isNew = !(await isShared(transaction, fileId, share.keyId))
        if (isNew && (await lockAndCount(transaction, fileId)) >= maxShares) return null
        const row = await transaction
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
            max_downloads: maxDownloads ?? null,
            label: label ?? null,
            last_download_at: null,
          })
          .onConflict((conflict) =>
            conflict.columns(['file_id', 'key_id']).doUpdateSet((row) => ({
              proof_hash: row.fn.coalesce('shares.proof_hash', 'excluded.proof_hash'),
              ...(maxDownloads === undefined ? {} : { max_downloads: maxDownloads }),
              ...(label === undefined ? {} : { label }),
            })),
          )
          .returning(shareColumns)
          .executeTakeFirstOrThrow()
        if (row.id === share.id) await countOnDay(transaction, share.createdAt, { shares: 1 })
        return shareOf(row)
      })
    },

    async findNewest(fileId: string): Promise<Share | null> {
      const row = await db
        .selectFrom('shares')
        .select(shareColumns)
        .where('file_id', '=', fileId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return row ? shareOf(row) : null
    },

    /** True when there was a share. */
    async removeAll(ownerId: string, fileId: string): Promise<boolean> {
      return hasChanged(
        db
          .deleteFrom('shares')
          .where('file_id', 'in', (query) =>
            query.selectFrom('files').select('id').where('id', '=', fileId).where('owner_id', '=', ownerId),
          ),
      )
    },

    async findFile(tokenHash: string, now: number): Promise<SharedFile | null> {
      const row = await db
        .selectFrom('shares')
        .innerJoin('files', 'files.id', 'shares.file_id')
        .select([
          'shares.id as share_id',
          'shares.wrapped_key',
          'shares.proof_hash',
          'shares.downloads',
          'shares.max_downloads',
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
        downloads: row.downloads,
        maxDownloads: row.max_downloads,
      }
    },
  }
}

export type SharesStore = ReturnType<typeof createSharesStore>

async function isShared(transaction: DatabaseTransaction, fileId: string, keyId: string): Promise<boolean> {
  const share = await transaction
    .selectFrom('shares')
    .select('id')
    .where('file_id', '=', fileId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return share !== undefined
}

/** Counts the shares of the file. Writing its row blocks others that share it, on both databases. */
async function lockAndCount(transaction: DatabaseTransaction, fileId: string): Promise<number> {
  await transaction
    .updateTable('files')
    .set((row) => ({ downloads: row.ref('downloads') }))
    .where('id', '=', fileId)
    .execute()
  return countRows(transaction.selectFrom('shares').where('file_id', '=', fileId))
}

const shareColumns = ['id', 'downloads', 'last_download_at', 'max_downloads', 'label'] as const

function shareOf(row: Pick<Tables['shares'], (typeof shareColumns)[number]>): Share {
  return {
    id: row.id,
    downloads: row.downloads,
    lastDownloadAt: row.last_download_at,
    maxDownloads: row.max_downloads,
    label: row.label,
  }
}
