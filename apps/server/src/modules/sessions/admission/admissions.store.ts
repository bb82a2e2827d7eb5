import { sessionLimits } from '@sallyport/contract/limits'
import { listLimits } from '@sallyport/contract/server-limits'
import type { Database } from '../../../platform/db/schema.ts'

export interface AdmissionRecord {
  readonly seq: number
  readonly participantId: string
  readonly body: string
  readonly createdAt: number
}

/** SQL for the messages that participants exchange while one admits another to the secret of a session. */
export function createAdmissionsStore(db: Database) {
  return {
    /** Null when the session has ended. */
    async add(sessionId: string, message: Omit<AdmissionRecord, 'seq'>): Promise<AdmissionRecord | null> {
      return db.transaction().execute(async (transaction) => {
        const session = await transaction
          .updateTable('sessions')
          .set((row) => ({ last_admission: row('last_admission', '+', 1) }))
          .where('id', '=', sessionId)
          .returning('last_admission')
          .executeTakeFirst()
        if (!session) return null
        const { participantId, body, createdAt } = message
        const seq = session.last_admission
        await transaction
          .insertInto('session_admissions')
          .values({ session_id: sessionId, seq, participant_id: participantId, body, created_at: createdAt })
          .execute()
        return { seq, ...message }
      })
    },

    /** The next page after `since`. */
    async list(sessionId: string, { since, now }: { since: number; now: number }): Promise<AdmissionRecord[]> {
      return db
        .selectFrom('session_admissions')
        .select(['seq', 'participant_id as participantId', 'body', 'created_at as createdAt'])
        .where('session_id', '=', sessionId)
        .where('seq', '>', since)
        .where('created_at', '>', now - sessionLimits.admissionMs)
        .orderBy('seq')
        .limit(listLimits.pageAdmissions)
        .execute()
    },

    async deleteOld(now: number): Promise<void> {
      await db
        .deleteFrom('session_admissions')
        .where('created_at', '<=', now - sessionLimits.admissionMs)
        .execute()
    },
  }
}
