import { sessionLimits } from '@sallyport/contract/limits'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { lockSession } from '../session-records.store.ts'
import { type AddressBlock, findWaitingSlot } from './waiting-list.rules.ts'

export type JoinRequestState = 'waiting' | 'admitted' | 'denied'

export interface JoinRequestRecord {
  readonly id: string
  readonly sessionId: string
  readonly code: string
  readonly state: JoinRequestState
  readonly createdAt: number
}

interface NewJoinRequest extends Pick<JoinRequestRecord, 'id' | 'sessionId' | 'code'> {
  readonly tokenHash: string
  readonly block: AddressBlock
}

/** SQL for the join requests of sessions. */
export function createJoinRequestsStore(db: Database) {
  const recent = (now: number) =>
    db
      .selectFrom('session_knocks')
      .select(['id', 'session_id as sessionId', 'code', 'state', 'created_at as createdAt'])
      .where('created_at', '>', now - sessionLimits.joinRequestMs)

  return {
    async listWaiting(sessionId: string, now: number): Promise<JoinRequestRecord[]> {
      const rows = await recent(now)
        .where('session_id', '=', sessionId)
        .where('state', '=', 'waiting')
        .orderBy('created_at')
        .execute()
      return rows as JoinRequestRecord[]
    },

    async find(tokenHash: string, now: number): Promise<JoinRequestRecord | null> {
      const row = await recent(now).where('token_hash', '=', tokenHash).executeTakeFirst()
      return (row as JoinRequestRecord | undefined) ?? null
    },

    /** False when the list is full for callers of this address block, or the session has ended. */
    add({ id, sessionId, code, tokenHash, block }: NewJoinRequest, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockSession(transaction, sessionId))) return false
        const waiting = await transaction
          .selectFrom('session_knocks')
          .select(['id', 'block_hash as blockHash', 'created_at as createdAt'])
          .where('session_id', '=', sessionId)
          .where('state', '=', 'waiting')
          .where('created_at', '>', now - sessionLimits.joinRequestMs)
          .execute()
        const slot = findWaitingSlot(waiting, block)
        if (!slot.isFree) return false
        if (slot.evicted !== null) {
          await transaction.deleteFrom('session_knocks').where('id', '=', slot.evicted).execute()
        }
        const row = { id, session_id: sessionId, code, token_hash: tokenHash, block_hash: block.blockHash }
        await transaction
          .insertInto('session_knocks')
          .values({ ...row, state: 'waiting', created_at: now })
          .execute()
        return true
      })
    },

    /** True when the request was still waiting. */
    async answer(sessionId: string, id: string, state: Exclude<JoinRequestState, 'waiting'>): Promise<boolean> {
      return hasChanged(
        db
          .updateTable('session_knocks')
          .set({ state })
          .where('session_id', '=', sessionId)
          .where('id', '=', id)
          .where('state', '=', 'waiting'),
      )
    },

    /** Deletes an admitted request; false when it was used already. */
    async consume(tokenHash: string): Promise<boolean> {
      return hasChanged(
        db.deleteFrom('session_knocks').where('token_hash', '=', tokenHash).where('state', '=', 'admitted'),
      )
    },

    async deleteOld(now: number): Promise<void> {
      await db
        .deleteFrom('session_knocks')
        .where('created_at', '<=', now - sessionLimits.joinRequestMs)
        .execute()
    },
  }
}
