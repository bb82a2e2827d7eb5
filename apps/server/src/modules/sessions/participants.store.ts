import { sessionLimits } from '@sallyport/contract/limits'
import { countRows, hasChanged } from '../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import { type ParticipantRecord, participantOf } from './session-records.store.ts'

interface NewParticipant extends Pick<ParticipantRecord, 'id' | 'sessionId' | 'userId' | 'isCreator'> {
  readonly tokenHash: string
  readonly addressHash: string
}

interface ListOfCallerInput {
  readonly userId: string | null
  readonly addressHash: string
}

/** Why a participant was not added. */
type RejectedParticipant = 'ended' | 'full'

/** SQL for participants. One that has been silent for a while no longer counts. */
export function createParticipantsStore(db: Database) {
  const selectSeenSince = (executor: Database | DatabaseTransaction, sessionId: string, since: number) =>
    executor.selectFrom('session_participants').where('session_id', '=', sessionId).where('seen_at', '>', since)

  async function countIn(executor: Database | DatabaseTransaction, sessionId: string, since: number): Promise<number> {
    return countRows(selectSeenSince(executor, sessionId, since))
  }

  const countPresent = (executor: Database | DatabaseTransaction, sessionId: string, now: number): Promise<number> =>
    countIn(executor, sessionId, now - sessionLimits.presentMs)

  /** Deletes the participant who has been away longest, if as many are remembered as is allowed. */
  async function forgetLongestAway(transaction: DatabaseTransaction, sessionId: string): Promise<void> {
    if ((await countIn(transaction, sessionId, 0)) < sessionLimits.rememberedParticipants) return
    await transaction
      .deleteFrom('session_participants')
      .where('id', 'in', (participants) =>
        participants
          .selectFrom('session_participants')
          .select('id')
          .where('session_id', '=', sessionId)
          .where('is_creator', '=', 0)
          .orderBy('seen_at')
          .limit(1),
      )
      .execute()
  }

  async function findBy(column: 'id' | 'token_hash', value: string): Promise<ParticipantRecord | null> {
    const row = await db.selectFrom('session_participants').selectAll().where(column, '=', value).executeTakeFirst()
    return row ? participantOf(row) : null
  }

  return {
    /** Adds a participant unless the session has ended or `max` participants are present. */
    add(participant: NewParticipant, now: number, max: number): Promise<ParticipantRecord | RejectedParticipant> {
      return db.transaction().execute(async (transaction) => {
        // Writing the row of the session serializes its joins, on both databases.
        const session = await transaction
          .updateTable('sessions')
          .set((row) => ({ was_joined: participant.isCreator ? row.ref('was_joined') : 1 }))
          .where('id', '=', participant.sessionId)
          .returning('id')
          .executeTakeFirst()
        if (!session) return 'ended'
        if ((await countPresent(transaction, participant.sessionId, now)) >= max) return 'full'
        await forgetLongestAway(transaction, participant.sessionId)
        const row = {
          id: participant.id,
          session_id: participant.sessionId,
          user_id: participant.userId,
          token_hash: participant.tokenHash,
          address_hash: participant.addressHash,
          token_used: 0,
          sealed_name: null,
          is_creator: Number(participant.isCreator),
          joined_at: now,
          seen_at: now,
        }
        await transaction.insertInto('session_participants').values(row).execute()
        return participantOf(row)
      })
    },

    find: (id: string): Promise<ParticipantRecord | null> => findBy('id', id),
    findByToken: (tokenHash: string): Promise<ParticipantRecord | null> => findBy('token_hash', tokenHash),

    /** The latest device of a user. */
    async findByUser(sessionId: string, userId: string): Promise<ParticipantRecord | null> {
      const row = await db
        .selectFrom('session_participants')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where('user_id', '=', userId)
        .orderBy('joined_at', 'desc')
        .executeTakeFirst()
      return row ? participantOf(row) : null
    },

    /** Participants that joined with this account or from this address. */
    async listOfCaller(sessionId: string, { userId, addressHash }: ListOfCallerInput): Promise<ParticipantRecord[]> {
      const rows = await db
        .selectFrom('session_participants')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where((row) =>
          row.or([row('address_hash', '=', addressHash), ...(userId === null ? [] : [row('user_id', '=', userId)])]),
        )
        .execute()
      return rows.map(participantOf)
    },

    countPresent: (sessionId: string, now: number): Promise<number> => countPresent(db, sessionId, now),

    /** Those who are or were recently present, in the order in which they joined. */
    async list(sessionId: string, now: number): Promise<ParticipantRecord[]> {
      const rows = await selectSeenSince(db, sessionId, now - sessionLimits.absentListedMs)
        .selectAll()
        .orderBy('joined_at')
        .orderBy('id')
        .execute()
      return rows.map(participantOf)
    },

    async rename(id: string, sealedName: string | null): Promise<void> {
      await db.updateTable('session_participants').set({ sealed_name: sealedName }).where('id', '=', id).execute()
    },

    /** Resolves with the sessions in which one of them was away. */
    async markSeen(ids: readonly string[], now: number): Promise<string[]> {
      if (ids.length === 0) return []
      const away = await db
        .selectFrom('session_participants')
        .select('session_id')
        .distinct()
        .where('id', 'in', ids)
        .where('seen_at', '<=', now - sessionLimits.presentMs)
        .execute()
      await db.updateTable('session_participants').set({ seen_at: now }).where('id', 'in', ids).execute()
      return away.map(({ session_id }) => session_id)
    },

    /** Marks a participant as away unless they were seen after this time, for example by another node. */
    async markAway(id: string, since: number): Promise<void> {
      await db
        .updateTable('session_participants')
        .set({ seen_at: since - sessionLimits.presentMs })
        .where('id', '=', id)
        .where('seen_at', '<=', since)
        .execute()
    },

    /** The sessions with a participant who was last seen in this period. */
    async listSessionsLastSeen({ from, to }: { from: number; to: number }): Promise<string[]> {
      const rows = await db
        .selectFrom('session_participants')
        .select('session_id')
        .distinct()
        .where('seen_at', '>', from)
        .where('seen_at', '<=', to)
        .execute()
      return rows.map(({ session_id }) => session_id)
    },

    /**
     * Marks the participant as seen and its token as used: from now on calls without the token are not attributed to
     * it.
     */
    async markTokenUsed(id: string, now: number): Promise<void> {
      await db.updateTable('session_participants').set({ seen_at: now, token_used: 1 }).where('id', '=', id).execute()
    },

    /** True when the participant existed. */
    async remove(sessionId: string, id: string): Promise<boolean> {
      return hasChanged(db.deleteFrom('session_participants').where('session_id', '=', sessionId).where('id', '=', id))
    },
  }
}
