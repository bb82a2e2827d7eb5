import { sessionLimits } from '@sallyport/contract/limits'
import type { Database, DatabaseTransaction } from '../db/schema.ts'
import { type ParticipantRecord, participantOf } from './session-records.store.ts'

interface NewParticipant extends Pick<ParticipantRecord, 'id' | 'sessionId' | 'userId' | 'isCreator'> {
  readonly tokenHash: string
  readonly addressHash: string
}

interface CallerOfSession {
  readonly userId: string | null
  readonly addressHash: string
}

/** SQL for who is in a session. Whoever has not been heard of for a while takes no place in it any more. */
export function createParticipantsStore(db: Database) {
  const heardOf = (reader: Database | DatabaseTransaction, sessionId: string, now: number) =>
    reader
      .selectFrom('session_participants')
      .where('session_id', '=', sessionId)
      .where('seen_at', '>', now - sessionLimits.creatorSilenceMs)

  async function countIn(reader: Database | DatabaseTransaction, sessionId: string, now: number): Promise<number> {
    const { count } = await heardOf(reader, sessionId, now)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async function findBy(column: 'id' | 'token_hash', value: string): Promise<ParticipantRecord | null> {
    const row = await db.selectFrom('session_participants').selectAll().where(column, '=', value).executeTakeFirst()
    return row ? participantOf(row) : null
  }

  return {
    /** Null when the session is over, or has so many participants already. */
    add(newcomer: NewParticipant, now: number, most: number): Promise<ParticipantRecord | null> {
      return db.transaction().execute(async (transaction) => {
        // Writing the row of the session serializes those who join it, on both databases.
        const session = await transaction
          .updateTable('sessions')
          .set((row) => ({ was_joined: newcomer.isCreator ? row.ref('was_joined') : 1 }))
          .where('id', '=', newcomer.sessionId)
          .returning('id')
          .executeTakeFirst()
        if (!session || (await countIn(transaction, newcomer.sessionId, now)) >= most) return null
        const row = {
          id: newcomer.id,
          session_id: newcomer.sessionId,
          user_id: newcomer.userId,
          token_hash: newcomer.tokenHash,
          address_hash: newcomer.addressHash,
          token_used: 0,
          sealed_name: null,
          is_creator: Number(newcomer.isCreator),
          joined_at: now,
          seen_at: now,
        }
        await transaction.insertInto('session_participants').values(row).execute()
        return participantOf(row)
      })
    },

    find: (id: string): Promise<ParticipantRecord | null> => findBy('id', id),
    findByToken: (tokenHash: string): Promise<ParticipantRecord | null> => findBy('token_hash', tokenHash),

    /** The latest of a person's devices. */
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

    /** Those that have joined with this account, or from this address. */
    async listOfCaller(sessionId: string, { userId, addressHash }: CallerOfSession): Promise<ParticipantRecord[]> {
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

    count: (sessionId: string, now: number): Promise<number> => countIn(db, sessionId, now),

    /** In the order in which they came. */
    async list(sessionId: string, now: number): Promise<ParticipantRecord[]> {
      const rows = await heardOf(db, sessionId, now).selectAll().orderBy('joined_at').orderBy('id').execute()
      return rows.map(participantOf)
    },

    async rename(id: string, sealedName: string | null): Promise<void> {
      await db.updateTable('session_participants').set({ sealed_name: sealedName }).where('id', '=', id).execute()
    },

    async see(ids: readonly string[], now: number): Promise<void> {
      if (ids.length === 0) return
      await db.updateTable('session_participants').set({ seen_at: now }).where('id', 'in', ids).execute()
    },

    /** The same, for one who has shown its token: from now on no call without the token stands for it. */
    async useToken(id: string, now: number): Promise<void> {
      await db.updateTable('session_participants').set({ seen_at: now, token_used: 1 }).where('id', '=', id).execute()
    },

    /** True when there was one. */
    async remove(sessionId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('session_participants')
        .where('session_id', '=', sessionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export type ParticipantsStore = ReturnType<typeof createParticipantsStore>
