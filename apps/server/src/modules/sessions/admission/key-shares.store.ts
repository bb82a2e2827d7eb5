import { sessionLimits } from '@sallyport/contract/limits'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { lockSession } from '../session-records.store.ts'

type RemovalResult = 'removed' | 'not-found' | 'too-many'

interface RemoveParticipantInput {
  readonly sessionId: string
  readonly participantId: string
  /** The sealed share of the next epoch; unused where the PIN is the whole key. */
  readonly nextShare: string
}

/** SQL for the shares of session keys, and for the removals that replace them. */
export function createKeySharesStore(db: Database) {
  return {
    /** Sealed shares, oldest first. Empty where the PIN is the whole key, and for a former participant. */
    async list(sessionId: string, participantId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('session_key_shares')
        .innerJoin('session_participants', 'session_participants.session_id', 'session_key_shares.session_id')
        .select('sealed_share')
        .where('session_key_shares.session_id', '=', sessionId)
        .where('session_participants.id', '=', participantId)
        .orderBy('epoch')
        .execute()
      return rows.map(({ sealed_share }) => sealed_share)
    },

    /** Removes a participant, starts the next key epoch, and makes joining require approval. */
    remove({ sessionId, participantId, nextShare }: RemoveParticipantInput): Promise<RemovalResult> {
      return db.transaction().execute(async (transaction) => {
        await lockSession(transaction, sessionId)
        const latest = await findLatestEpoch(transaction, sessionId)
        if (latest !== null && latest >= sessionLimits.removals) return 'too-many'
        const participant = transaction
          .deleteFrom('session_participants')
          .where('session_id', '=', sessionId)
          .where('id', '=', participantId)
        if (!(await hasChanged(participant))) return 'not-found'
        await transaction.updateTable('sessions').set({ approval: 1 }).where('id', '=', sessionId).execute()
        if (latest !== null) {
          const share = { session_id: sessionId, epoch: latest + 1, sealed_share: nextShare }
          await transaction.insertInto('session_key_shares').values(share).execute()
        }
        return 'removed'
      })
    },
  }
}

async function findLatestEpoch(transaction: DatabaseTransaction, sessionId: string): Promise<number | null> {
  const row = await transaction
    .selectFrom('session_key_shares')
    .select('epoch')
    .where('session_id', '=', sessionId)
    .orderBy('epoch', 'desc')
    .executeTakeFirst()
  return row?.epoch ?? null
}
