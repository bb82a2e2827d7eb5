import { sessionLimits } from '@sallyport/contract/limits'
import type { Database } from '../db/schema.ts'

export type KnockState = 'waiting' | 'admitted' | 'denied'

export interface KnockRecord {
  readonly id: string
  readonly sessionId: string
  readonly code: string
  readonly state: KnockState
  readonly createdAt: number
}

/** SQL for those who wait to be let into a session. */
export function createKnocksStore(db: Database) {
  const recent = (now: number) =>
    db
      .selectFrom('session_knocks')
      .select(['id', 'session_id as sessionId', 'code', 'state', 'created_at as createdAt'])
      .where('created_at', '>', now - sessionLimits.knockMs)

  return {
    async listWaiting(sessionId: string, now: number): Promise<KnockRecord[]> {
      const rows = await recent(now)
        .where('session_id', '=', sessionId)
        .where('state', '=', 'waiting')
        .orderBy('created_at')
        .execute()
      return rows as KnockRecord[]
    },

    async find(tokenHash: string, now: number): Promise<KnockRecord | null> {
      const row = await recent(now).where('token_hash', '=', tokenHash).executeTakeFirst()
      return (row as KnockRecord | undefined) ?? null
    },

    async add(
      knock: Pick<KnockRecord, 'id' | 'sessionId' | 'code'> & { tokenHash: string },
      now: number,
    ): Promise<void> {
      const { id, sessionId, code, tokenHash } = knock
      await db
        .insertInto('session_knocks')
        .values({ id, session_id: sessionId, code, token_hash: tokenHash, state: 'waiting', created_at: now })
        .execute()
    },

    /** True when there was somebody who still waited. */
    async answer(sessionId: string, id: string, state: Exclude<KnockState, 'waiting'>): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('session_knocks')
        .set({ state })
        .where('session_id', '=', sessionId)
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Uses it up; false when somebody else was faster. */
    async take(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('session_knocks').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    async forgetOld(now: number): Promise<void> {
      await db
        .deleteFrom('session_knocks')
        .where('created_at', '<=', now - sessionLimits.knockMs)
        .execute()
    },
  }
}

export type KnocksStore = ReturnType<typeof createKnocksStore>
