import { sessionLimits } from '@sallyport/contract/limits'
import { isUniqueViolation } from '../db/failures.ts'
import type { Database, DatabaseTransaction } from '../db/schema.ts'
import { type SessionRecord, sessionOf } from './session-records.store.ts'

export interface NewSession extends Omit<SessionRecord, 'isLocked' | 'asksApproval' | 'endsAt'> {
  /** Sealed; null where the PIN is all of the key. */
  readonly sealedShare: string | null
}

interface Change {
  readonly expirationMinutes?: number | undefined
  readonly isLocked?: boolean | undefined
  readonly asksApproval?: boolean | undefined
}

/** SQL for sessions. One whose time is up, or whose creator has been silent for too long, is not found any more. */
export function createSessionsStore(db: Database) {
  const open = (now: number) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('ends_at', '>', now)
      .where('creator_seen_at', '>', now - sessionLimits.creatorSilenceMs)

  return {
    async find(id: string, now: number): Promise<SessionRecord | null> {
      const row = await open(now).where('id', '=', id).executeTakeFirst()
      return row ? sessionOf(row) : null
    },

    async findByPin(pinHash: string, now: number): Promise<SessionRecord | null> {
      const row = await open(now).where('pin_hash', '=', pinHash).executeTakeFirst()
      return row ? sessionOf(row) : null
    },

    async countOpen(creatorId: string, now: number): Promise<number> {
      const rows = await open(now).where('creator_id', '=', creatorId).execute()
      return rows.length
    },

    /** False when the PIN is another session's, or was until lately. */
    async add(session: NewSession, now: number): Promise<boolean> {
      try {
        return await db.transaction().execute((transaction) => addSession(transaction, session, now))
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    async change(id: string, { expirationMinutes, isLocked, asksApproval }: Change): Promise<void> {
      const set = {
        ...(expirationMinutes !== undefined && { expiration_minutes: expirationMinutes }),
        ...(isLocked !== undefined && { locked: Number(isLocked) }),
        ...(asksApproval !== undefined && { approval: Number(asksApproval) }),
      }
      if (Object.keys(set).length > 0) await db.updateTable('sessions').set(set).where('id', '=', id).execute()
    },

    async hearCreator(id: string, now: number): Promise<void> {
      await db.updateTable('sessions').set({ creator_seen_at: now }).where('id', '=', id).execute()
    },

    async findShare(id: string): Promise<string | null> {
      const row = await db
        .selectFrom('session_key_shares')
        .select('sealed_share')
        .where('session_id', '=', id)
        .executeTakeFirst()
      return row?.sealed_share ?? null
    },

    /** Ends a session: nothing of it stays but that its PIN rests. False when it had ended before. */
    async close(id: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('sessions')
          .where('id', '=', id)
          .returning('pin_hash')
          .executeTakeFirst()
        if (row) await rest(transaction, row.pin_hash, now)
        return row !== undefined
      })
    },

    /** Those that are over and have not been ended yet. */
    async listOver(now: number, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where((row) =>
          row.or([row('ends_at', '<=', now), row('creator_seen_at', '<=', now - sessionLimits.creatorSilenceMs)]),
        )
        .limit(most)
        .execute()
      return rows.map(({ id }) => id)
    },

    async forgetRestedPins(now: number): Promise<void> {
      await db.deleteFrom('resting_pins').where('free_at', '<=', now).execute()
    },
  }
}

export type SessionsStore = ReturnType<typeof createSessionsStore>

async function addSession(transaction: DatabaseTransaction, session: NewSession, now: number): Promise<boolean> {
  const resting = await transaction
    .selectFrom('resting_pins')
    .select('free_at')
    .where('pin_hash', '=', session.pinHash)
    .where('free_at', '>', now)
    .executeTakeFirst()
  if (resting) return false
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('sessions')
    .values({
      id: session.id,
      creator_id: session.creatorId,
      pin_hash: session.pinHash,
      key_mode: session.keyMode,
      link_check: session.linkCheck,
      expiration_minutes: session.expirationMinutes,
      locked: 0,
      approval: 0,
      message_count: 0,
      last_message_at: 0,
      last_admission: 0,
      created_at: now,
      creator_seen_at: now,
      ends_at: now + sessionLimits.longestMs,
    })
    .onConflict((conflict) => conflict.column('pin_hash').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return false
  if (session.sealedShare !== null) {
    const share = { session_id: session.id, sealed_share: session.sealedShare }
    await transaction.insertInto('session_key_shares').values(share).execute()
  }
  return true
}

async function rest(transaction: DatabaseTransaction, pinHash: string, now: number): Promise<void> {
  const freeAt = now + sessionLimits.pinRestMs
  await transaction
    .insertInto('resting_pins')
    .values({ pin_hash: pinHash, free_at: freeAt })
    .onConflict((conflict) => conflict.column('pin_hash').doUpdateSet({ free_at: freeAt }))
    .execute()
}
