import { sessionLimits } from '@sallyport/contract/limits'
import { countRows } from '../../platform/db/count-rows.ts'
import { countOnDay } from '../../platform/db/daily-counts.ts'
import { isUniqueViolation } from '../../platform/db/database-errors.ts'
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts'
import { releaseStorage } from '../files/uploads/storage-use.store.ts'
import { type SessionRecord, sessionOf } from './session-records.store.ts'

export interface NewSession extends Omit<SessionRecord, 'isLocked' | 'asksApproval' | 'isPinExposed' | 'endsAt'> {
  /** Sealed; null where the PIN is the whole key. */
  readonly sealedShare: string | null
}

type AddedSession = 'added' | 'taken' | 'too-many'

interface SessionUpdate {
  readonly expirationMinutes?: number | undefined
  readonly isLocked?: boolean | undefined
  readonly asksApproval?: boolean | undefined
}

const selectOpen = (executor: Database | DatabaseTransaction, now: number) =>
  executor
    .selectFrom('sessions')
    .where('ends_at', '>', now)
    .where('creator_seen_at', '>', now - sessionLimits.creatorSilenceMs)

/** SQL for sessions. A session that has expired, or whose creator has been silent too long, is no longer found. */
export function createSessionsStore(db: Database) {
  return {
    async find(id: string, now: number): Promise<SessionRecord | null> {
      const row = await selectOpen(db, now).selectAll().where('id', '=', id).executeTakeFirst()
      return row ? sessionOf(row) : null
    },

    async findByPin(pinHash: string, now: number): Promise<SessionRecord | null> {
      const row = await selectOpen(db, now).selectAll().where('pin_hash', '=', pinHash).executeTakeFirst()
      return row ? sessionOf(row) : null
    },

    /** Rejects a PIN that is or recently was another session's, and more sessions than an account may have open. */
    async add(session: NewSession, now: number): Promise<AddedSession> {
      try {
        return await db.transaction().execute((transaction) => addSession(transaction, session, now))
      } catch (error) {
        if (isUniqueViolation(error)) return 'taken'
        throw error
      }
    },

    async update(id: string, { expirationMinutes, isLocked, asksApproval }: SessionUpdate): Promise<void> {
      const set = {
        ...(expirationMinutes !== undefined && { expiration_minutes: expirationMinutes }),
        ...(isLocked !== undefined && { locked: Number(isLocked) }),
        ...(asksApproval !== undefined && { approval: Number(asksApproval) }),
      }
      if (Object.keys(set).length > 0) await db.updateTable('sessions').set(set).where('id', '=', id).execute()
    },

    async recordCreatorHeartbeat(id: string, now: number): Promise<void> {
      await db.updateTable('sessions').set({ creator_seen_at: now }).where('id', '=', id).execute()
    },

    /** Ends a session and deletes everything but the PIN's quarantine. False when it had ended before. */
    async close(id: string, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('sessions')
          .where('id', '=', id)
          .returning(['pin_hash', 'was_joined', 'creator_id as ownerId', 'message_bytes as bytes'])
          .executeTakeFirst()
        if (!row) return false
        await quarantinePin(transaction, { pinHash: row.pin_hash, freeAt: now + quarantineMs(row.was_joined === 1) })
        await releaseStorage(transaction, [row])
        return true
      })
    },

    /** Ended sessions that have not been deleted yet. */
    async listEnded(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where((row) =>
          row.or([row('ends_at', '<=', now), row('creator_seen_at', '<=', now - sessionLimits.creatorSilenceMs)]),
        )
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async deleteExpiredQuarantine(now: number): Promise<void> {
      await db.deleteFrom('resting_pins').where('free_at', '<=', now).execute()
    },
  }
}

async function addSession(transaction: DatabaseTransaction, session: NewSession, now: number): Promise<AddedSession> {
  // Writing the row of the account serializes its new sessions, on both databases.
  await transaction
    .updateTable('users')
    .set((row) => ({ created_at: row.ref('created_at') }))
    .where('id', '=', session.creatorId)
    .execute()
  const count = await countRows(selectOpen(transaction, now).where('creator_id', '=', session.creatorId))
  if (count >= sessionLimits.openPerAccount) return 'too-many'
  const resting = await transaction
    .selectFrom('resting_pins')
    .select('free_at')
    .where('pin_hash', '=', session.pinHash)
    .where('free_at', '>', now)
    .executeTakeFirst()
  if (resting) return 'taken'
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
      ends_at: now + sessionLimits.maxDurationMs,
      was_joined: 0,
      pin_exposed: 0,
    })
    .onConflict((conflict) => conflict.column('pin_hash').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) {
    await markPinExposed(transaction, session)
    return 'taken'
  }
  if (session.sealedShare !== null) {
    const share = { session_id: session.id, epoch: 0, sealed_share: session.sealedShare }
    await transaction.insertInto('session_key_shares').values(share).execute()
  }
  await countOnDay(transaction, now, { sessions: 1 })
  return 'added'
}

/** The error reveals the PIN of a session to an outsider, so joining with it requires approval from now on. */
async function markPinExposed(transaction: DatabaseTransaction, { pinHash, creatorId }: NewSession): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ pin_exposed: 1 })
    .where('pin_hash', '=', pinHash)
    .where('creator_id', '<>', creatorId)
    .execute()
}

const quarantineMs = (wasJoined: boolean): number =>
  wasJoined ? sessionLimits.pinReuseDelayMs : sessionLimits.unjoinedPinReuseDelayMs

interface QuarantinedPin {
  readonly pinHash: string
  readonly freeAt: number
}

async function quarantinePin(transaction: DatabaseTransaction, { pinHash, freeAt }: QuarantinedPin): Promise<void> {
  await transaction
    .insertInto('resting_pins')
    .values({ pin_hash: pinHash, free_at: freeAt })
    .onConflict((conflict) => conflict.column('pin_hash').doUpdateSet({ free_at: freeAt }))
    .execute()
}
