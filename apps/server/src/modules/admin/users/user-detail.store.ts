import { adminLimits } from '@sallyport/contract/admin'
import type { Database } from '../../../platform/db/schema.ts'

const shownHashDigits = 6

/** SQL for what admins see of one account: sizes, counts and times. */
export function createUserDetailStore(db: Database) {
  async function findCounters(userId: string) {
    const counters = await db.selectFrom('storage_use').selectAll().where('user_id', '=', userId).executeTakeFirst()
    const own = counters?.own_downloads ?? 0
    return {
      usedBytes: counters?.used_bytes ?? 0,
      files: counters?.file_count ?? 0,
      filesUploaded: counters?.files_uploaded ?? 0,
      ownDownloads: own,
      downloads: own + (counters?.share_downloads ?? 0),
    }
  }

  async function findAuthSessions(userId: string, now: number) {
    const found = await db
      .selectFrom('sign_ins')
      .select((row) => [row.fn.countAll<number>().as('total'), row.fn.max('refreshed_at').as('last')])
      .where('user_id', '=', userId)
      .where('not_after', '>', now)
      .executeTakeFirst()
    const last = found?.last ?? null
    return { authSessions: Number(found?.total ?? 0), lastUsedAt: last === null ? null : Number(last) }
  }

  async function hasSecondFactor(userId: string): Promise<boolean> {
    const factors = db.selectFrom('factors').select('id').where('user_id', '=', userId)
    return (await factors.where('verified_at', 'is not', null).limit(1).executeTakeFirst()) !== undefined
  }

  /** The newest files that have not expired, without their names. */
  async function listFiles(userId: string, now: number) {
    const files = await db
      .selectFrom('files')
      .select(['id', 'plain_bytes', 'created_at', 'expires_at', 'downloads'])
      .where('owner_id', '=', userId)
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(adminLimits.listedFiles)
      .execute()
    if (files.length === 0) return []
    const shares = await db
      .selectFrom('shares')
      .select(['file_id', 'token_hash'])
      .where(
        'file_id',
        'in',
        files.map(({ id }) => id),
      )
      .orderBy('created_at')
      .execute()
    const newest = new Map(shares.map(({ file_id, token_hash }) => [file_id, token_hash]))
    return files.map((file) => ({ ...file, shareHash: newest.get(file.id)?.slice(0, shownHashDigits) ?? null }))
  }

  return {
    async find(userId: string, now: number) {
      return {
        ...(await findCounters(userId)),
        ...(await findAuthSessions(userId, now)),
        hasSecondFactor: await hasSecondFactor(userId),
        listedFiles: await listFiles(userId, now),
      }
    },
  }
}

export type UserDetailStore = ReturnType<typeof createUserDetailStore>
