import type { Factor } from '@sallyport/contract/auth'
import { messageLimits } from '@sallyport/contract/limits'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, Tables } from '../../../platform/db/schema.ts'

export type FactorType = Factor['factor_type']
export type FactorRecord = Tables['factors'] & { readonly type: FactorType }
export type ChallengeRecord = Tables['factor_challenges']

/** SQL for second factors and their challenges. */
export function createFactorsStore(db: Database) {
  const ofUser = (userId: string) => db.selectFrom('factors').selectAll().where('user_id', '=', userId)

  return {
    async list(userId: string): Promise<FactorRecord[]> {
      return (await ofUser(userId).orderBy('created_at').orderBy('id').execute()) as FactorRecord[]
    },
    async find(userId: string, id: string): Promise<FactorRecord | null> {
      return ((await ofUser(userId).where('id', '=', id).executeTakeFirst()) ?? null) as FactorRecord | null
    },
    async add(factor: FactorRecord): Promise<void> {
      await db.insertInto('factors').values(factor).execute()
    },
    async remove(userId: string, id: string): Promise<boolean> {
      return hasChanged(db.deleteFrom('factors').where('user_id', '=', userId).where('id', '=', id))
    },
    /** Removes factors that were enrolled before this time and never verified. */
    async removeUnverified(userId: string, before: number): Promise<void> {
      await db
        .deleteFrom('factors')
        .where('user_id', '=', userId)
        .where('verified_at', 'is', null)
        .where('created_at', '<=', before)
        .execute()
    },
    /** Consumes a time step unless it or a later one has been used, so that no code is accepted twice. */
    async consumeTimeStep(id: string, timeStep: number): Promise<boolean> {
      return hasChanged(
        db
          .updateTable('factors')
          .set({ last_step: timeStep })
          .where('id', '=', id)
          .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', timeStep)])),
      )
    },

    async addChallenge(challenge: ChallengeRecord, now: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { factor_id } = challenge
        await transaction.insertInto('factor_challenges').values(challenge).execute()
        await transaction.updateTable('factors').set({ last_challenged_at: now }).where('id', '=', factor_id).execute()
      })
    },
    async findChallenge(factorId: string, id: string): Promise<ChallengeRecord | null> {
      const challenges = db.selectFrom('factor_challenges').selectAll()
      return (await challenges.where('factor_id', '=', factorId).where('id', '=', id).executeTakeFirst()) ?? null
    },
    /** Counts an attempt at a challenge; returns false when there were too many. */
    async countChallengeAttempt(id: string): Promise<boolean> {
      return hasChanged(
        db
          .updateTable('factor_challenges')
          .set((column) => ({ attempts: column('attempts', '+', 1) }))
          .where('id', '=', id)
          .where('attempts', '<', messageLimits.attemptsPerCode),
      )
    },
    /** Consumes a challenge. Returns false when a concurrent request has consumed it. */
    async consumeChallenge(id: string): Promise<boolean> {
      return hasChanged(db.deleteFrom('factor_challenges').where('id', '=', id))
    },
    /** Removes up to `limit` expired challenges. */
    async removeExpiredChallenges(before: number, limit: number): Promise<void> {
      const expired = db.selectFrom('factor_challenges').select('id').where('expires_at', '<=', before).limit(limit)
      await db.deleteFrom('factor_challenges').where('id', 'in', expired).execute()
    },

    /** Marks a factor as verified and removes unverified factors of the same type. */
    async markVerified({ id, user_id, type }: FactorRecord, now: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('factors')
          .set({ verified_at: now, updated_at: now })
          .where('id', '=', id)
          .where('verified_at', 'is', null)
          .execute()
        await transaction
          .deleteFrom('factors')
          .where('user_id', '=', user_id)
          .where('type', '=', type)
          .where('verified_at', 'is', null)
          .execute()
      })
    },
  }
}
