import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'

export interface NewShare {
  readonly id: string
  readonly tokenHash: string
  /** Tells which share key wrapped the file's key. */
  readonly keyId: string
  readonly wrappedKey: string
  readonly proofHash: string | null
  readonly createdAt: number
  readonly options: ShareOptions
}

/** What the owner may say about a share; what is left out stays as it was. */
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
  readonly downloads: number
  readonly maxDownloads: number | null
}

/** SQL for shares. A file has one for each share key, and they end with it. */
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
    /** The key of a file wrapped for its owner, or null when there is no such file. */
    async findWrappedKey(ownerId: string, fileId: string, now: number): Promise<string | null> {
      const row = await liveFile(ownerId, fileId, now).executeTakeFirst()
      return row?.wrapped_key ?? null
    },

    /** Shares a file and answers the share, which is an older one when the share key is the same; null when there are too many. */
    async add(fileId: string, mostLive: number, { options, ...share }: NewShare): Promise<Share | null> {
      const { maxDownloads, label } = options
      return db.transaction().execute(async (transaction) => {
        const isNew = !(await isShared(transaction, fileId, share.keyId))
        if (isNew && (await lockAndCount(transaction, fileId)) >= mostLive) return null
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

/** Shares of the file. Writing its row keeps others who share it waiting, on both databases. */
async function lockAndCount(transaction: DatabaseTransaction, fileId: string): Promise<number> {
  await transaction
    .updateTable('files')
    .set((row) => ({ downloads: row.ref('downloads') }))
    .where('id', '=', fileId)
    .execute()
  const { count } = await transaction
    .selectFrom('shares')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('file_id', '=', fileId)
    .executeTakeFirstOrThrow()
  return Number(count)
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
