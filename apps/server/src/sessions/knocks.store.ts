import { sessionLimits } from '@sallyport/contract/limits'
import type { Database } from '../db/schema.ts'
import { type AddressBlock, placeInList } from './waiting-list.rules.ts'

export type KnockState = 'waiting' | 'admitted' | 'denied'

export interface KnockRecord {
  readonly id: string
  readonly sessionId: string
  readonly code: string
  readonly state: KnockState
  readonly createdAt: number
}

interface NewKnock extends Pick<KnockRecord, 'id' | 'sessionId' | 'code'> {
  readonly tokenHash: string
  readonly block: AddressBlock
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

    /** False when the list is full for callers of this address block, or the session is over. */
    add({ id, sessionId, code, tokenHash, block }: NewKnock, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        // Writing the row of the session serializes those who ask to join it, on both databases.
        const session = await transaction
          .updateTable('sessions')
          .set((row) => ({ was_joined: row.ref('was_joined') }))
          .where('id', '=', sessionId)
          .returning('id')
          .executeTakeFirst()
        if (!session) return false
        const waiting = await transaction
          .selectFrom('session_knocks')
          .select(['id', 'block_hash as blockHash', 'created_at as createdAt'])
          .where('session_id', '=', sessionId)
          .where('state', '=', 'waiting')
          .where('created_at', '>', now - sessionLimits.knockMs)
          .execute()
        const place = placeInList(waiting, block)
        if (!place.isFree) return false
        if (place.evicted !== null) {
          await transaction.deleteFrom('session_knocks').where('id', '=', place.evicted).execute()
        }
        const row = { id, session_id: sessionId, code, token_hash: tokenHash, block_hash: block.blockHash }
        await transaction
          .insertInto('session_knocks')
          .values({ ...row, state: 'waiting', created_at: now })
          .execute()
        return true
      })
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

    /** Uses one up that was admitted; false when somebody else was faster. */
    async take(tokenHash: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('session_knocks')
        .where('token_hash', '=', tokenHash)
        .where('state', '=', 'admitted')
        .executeTakeFirst()
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
