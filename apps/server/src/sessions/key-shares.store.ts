import { sessionLimits } from '@sallyport/contract/limits'
import type { Database, DatabaseTransaction } from '../db/schema.ts'

type Removal = 'removed' | 'not-found' | 'too-many'

interface Removed {
  readonly sessionId: string
  readonly participantId: string
  /** Of the next epoch; not used where the PIN is the whole key. */
  readonly nextShare: string
}

/** SQL for the shares of session keys, and for the removals that replace them. */
export function createKeySharesStore(db: Database) {
  return {
    /** Sealed, oldest first. None where the PIN is the whole key, and none for anyone who is no participant any more. */
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

    /** Removes a participant, begins the next key epoch, and lets newcomers in by approval only from then on. */
    remove({ sessionId, participantId, nextShare }: Removed): Promise<Removal> {
      return db.transaction().execute(async (transaction) => {
        // Writing the row of the session puts concurrent removals in order, on both databases.
        await transaction
          .updateTable('sessions')
          .set((row) => ({ created_at: row.ref('created_at') }))
          .where('id', '=', sessionId)
          .execute()
        const latest = await findLatestEpoch(transaction, sessionId)
        if (latest !== null && latest >= sessionLimits.removals) return 'too-many'
        const { numDeletedRows } = await transaction
          .deleteFrom('session_participants')
          .where('session_id', '=', sessionId)
          .where('id', '=', participantId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return 'not-found'
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

export type KeySharesStore = ReturnType<typeof createKeySharesStore>

async function findLatestEpoch(transaction: DatabaseTransaction, sessionId: string): Promise<number | null> {
  const row = await transaction
    .selectFrom('session_key_shares')
    .select('epoch')
    .where('session_id', '=', sessionId)
    .orderBy('epoch', 'desc')
    .executeTakeFirst()
  return row?.epoch ?? null
}
