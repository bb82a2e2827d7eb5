import { LicenceType } from '@sallyport/contract/licence-types'
import { sql } from 'kysely'
import { countRows } from '../../../platform/db/count-rows.ts'
import type { Database } from '../../../platform/db/schema.ts'

export interface VolumeUse {
  readonly fileCount: number
  readonly userCount: number
}

const dayMs = 24 * 3_600_000
/** An upload without a byte for this long waits for its device. */
const uploadingMs = 60_000

/** SQL for the figures of the whole server. */
export function createOverviewStore(db: Database) {
  return {
    /** How long the database takes to answer, in milliseconds. */
    async responseMs(): Promise<number> {
      const startedAt = performance.now()
      await sql`select 1`.execute(db)
      return performance.now() - startedAt
    },

    async countUsers(): Promise<number> {
      return countRows(db.selectFrom('users').where('deleted_at', 'is', null))
    },

    /** Users who signed in, or whose page asked for a new token, within a day. */
    async countActiveUsers(now: number): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select user_id from sign_ins where refreshed_at > ${now - dayMs}
          union select id from users where last_sign_in_at > ${now - dayMs} and deleted_at is null
        ) as active
      `.execute(db)
      return Number(rows[0]?.count ?? 0)
    },

    async sumFiles(): Promise<{ readonly files: number; readonly bytes: number }> {
      const { files, bytes } = await db
        .selectFrom('storage_use')
        .select(({ fn }) => [fn.sum<number>('file_count').as('files'), fn.sum<number>('used_bytes').as('bytes')])
        .executeTakeFirstOrThrow()
      return { files: Number(files ?? 0), bytes: Number(bytes ?? 0) }
    },

    /** Uploads that receive bytes. */
    async countUploads(now: number): Promise<number> {
      return countRows(
        db
          .selectFrom('uploads')
          .where('completed_at', 'is', null)
          .where('cancelled_at', 'is', null)
          .where('last_byte_at', '>', now - uploadingMs),
      )
    },

    async countLicences(): Promise<Record<LicenceType, number>> {
      const rows = await db
        .selectFrom('effective_licences')
        .select(({ fn }) => ['type', fn.countAll<number>().as('count')])
        .groupBy('type')
        .execute()
      const found = new Map(rows.map(({ type, count }) => [type, Number(count)]))
      const counts = LicenceType.options.map((type) => [type, found.get(type) ?? 0] as const)
      return Object.fromEntries(counts) as Record<LicenceType, number>
    },

    /** What each volume holds, by its id. */
    async volumeUse(): Promise<ReadonlyMap<string, VolumeUse>> {
      const rows = await db
        .selectFrom('files')
        .select(({ fn }) => [
          'volume',
          fn.countAll<number>().as('files'),
          fn.count<number>('owner_id').distinct().as('users'),
        ])
        .groupBy('volume')
        .execute()
      return new Map(
        rows.map(({ volume, files, users }) => [volume, { fileCount: Number(files), userCount: Number(users) }]),
      )
    },
  }
}

export type OverviewStore = ReturnType<typeof createOverviewStore>
