import { sql } from 'kysely'
import { hasChanged } from '../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'

/** What an operator sees of an account: sizes and counts, but nothing of its contents. */
export interface AccountSummary {
  readonly isAdmin: boolean
  readonly usedBytes: number
  readonly files: number
  readonly shares: number
  readonly messages: number
  readonly authSessions: number
  /** The types of its verified second factors. */
  readonly factorTypes: readonly string[]
  readonly backupCodes: number
}

/** SQL for the operator's view of accounts and shares. */
export function createAccountSummariesStore(db: Database) {
  return {
    /** Used bytes by user id, including those reserved by uploads in progress. */
    async usedBytes(userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (userIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('storage_use')
        .select(['user_id', sql<number>`used_bytes + reserved_bytes`.as('bytes')])
        .where('user_id', 'in', userIds)
        .execute()
      return new Map(rows.map(({ user_id, bytes }) => [user_id, Number(bytes)]))
    },
    async find(userId: string, now: number): Promise<AccountSummary> {
      const count = async (query: { executeTakeFirstOrThrow(): Promise<{ total: number }> }): Promise<number> =>
        Number((await query.executeTakeFirstOrThrow()).total)
      const files = db.selectFrom('files').where('owner_id', '=', userId).where('expires_at', '>', now)
      const factors = db.selectFrom('factors').select('type').where('user_id', '=', userId)
      const total = db.fn.countAll<number>().as('total')
      return {
        isAdmin: (await count(db.selectFrom('admins').select(total).where('user_id', '=', userId))) > 0,
        usedBytes: (await this.usedBytes([userId])).get(userId) ?? 0,
        files: await count(files.select(total)),
        shares: await count(db.selectFrom('shares').select(total).where('file_id', 'in', files.select('files.id'))),
        messages: await count(
          db.selectFrom('messages').select(total).where('owner_id', '=', userId).where('expires_at', '>', now),
        ),
        authSessions: await count(
          db.selectFrom('sign_ins').select(total).where('user_id', '=', userId).where('not_after', '>', now),
        ),
        factorTypes: (await factors.where('verified_at', 'is not', null).execute()).map(({ type }) => type),
        backupCodes: await count(db.selectFrom('backup_codes').select(total).where('user_id', '=', userId)),
      }
    },
    /** Removes all second factors and backup codes, and ends all auth sessions. Returns how many factors were verified. */
    async resetMfa(userId: string, transaction: DatabaseTransaction): Promise<number> {
      const removed = await transaction
        .deleteFrom('factors')
        .where('user_id', '=', userId)
        .returning('verified_at')
        .execute()
      await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute()
      await transaction.deleteFrom('sign_ins').where('user_id', '=', userId).execute()
      return removed.filter(({ verified_at }) => verified_at !== null).length
    },
    /** Returns the id of the share with this token hash; null when there is none. */
    async findShare(tokenHash: string): Promise<string | null> {
      const share = await db.selectFrom('shares').select('id').where('token_hash', '=', tokenHash).executeTakeFirst()
      return share?.id ?? null
    },
    /** Deletes a share. Returns false when there is none. */
    async removeShare(id: string, transaction: DatabaseTransaction): Promise<boolean> {
      return hasChanged(transaction.deleteFrom('shares').where('id', '=', id))
    },
  }
}

export type AccountSummariesStore = ReturnType<typeof createAccountSummariesStore>
