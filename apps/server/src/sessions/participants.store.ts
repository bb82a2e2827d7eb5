import { sessionLimits } from '@sallyport/contract/limits'
import type { Database } from '../db/schema.ts'
import { type ParticipantRecord, participantOf } from './session-records.store.ts'

interface NewParticipant extends Pick<ParticipantRecord, 'id' | 'sessionId' | 'userId' | 'isCreator'> {
  readonly tokenHash: string
}

/** SQL for who is in a session. Whoever has not been heard of for a while takes no place in it any more. */
export function createParticipantsStore(db: Database) {
  const heardOf = (sessionId: string, now: number) =>
    db
      .selectFrom('session_participants')
      .where('session_id', '=', sessionId)
      .where('seen_at', '>', now - sessionLimits.creatorSilenceMs)

  return {
    async add({ id, sessionId, userId, isCreator, tokenHash }: NewParticipant, now: number): Promise<void> {
      await db
        .insertInto('session_participants')
        .values({
          id,
          session_id: sessionId,
          user_id: userId,
          token_hash: tokenHash,
          sealed_name: null,
          is_creator: Number(isCreator),
          joined_at: now,
          seen_at: now,
        })
        .execute()
    },

    async findByToken(tokenHash: string): Promise<ParticipantRecord | null> {
      const row = await db
        .selectFrom('session_participants')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row ? participantOf(row) : null
    },

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

    async count(sessionId: string, now: number): Promise<number> {
      const { count } = await heardOf(sessionId, now)
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** In the order in which they came. */
    async list(sessionId: string, now: number): Promise<ParticipantRecord[]> {
      const rows = await heardOf(sessionId, now).selectAll().orderBy('joined_at').orderBy('id').execute()
      return rows.map(participantOf)
    },

    async rename(id: string, sealedName: string | null): Promise<void> {
      await db.updateTable('session_participants').set({ sealed_name: sealedName }).where('id', '=', id).execute()
    },

    async see(ids: readonly string[], now: number): Promise<void> {
      if (ids.length === 0) return
      await db.updateTable('session_participants').set({ seen_at: now }).where('id', 'in', ids).execute()
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
