import type { Database } from '../db/schema.ts'
import { noFailures, type PinFailures } from './pin-failures.rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hourOf = (time: number): number => Math.floor(time / hourMs) * hourMs

/** SQL that counts wrong PINs, for all nodes together. */
export function createPinFailuresStore(db: Database) {
  async function countInHour(now: number, what: { failures: number; joins: number }): Promise<void> {
    await db
      .insertInto('pin_hours')
      .values({ hour: hourOf(now), ...what })
      .onConflict((conflict) =>
        conflict.column('hour').doUpdateSet((row) => ({
          failures: row('pin_hours.failures', '+', what.failures),
          joins: row('pin_hours.joins', '+', what.joins),
        })),
      )
      .execute()
  }

  return {
    async find(sourceHash: string): Promise<PinFailures> {
      const row = await db
        .selectFrom('pin_failures')
        .selectAll()
        .where('source_hash', '=', sourceHash)
        .executeTakeFirst()
      if (!row) return noFailures
      const { failures, locks, window_ends_at: windowEndsAt, lock_ends_at: lockEndsAt } = row
      return { failures, windowEndsAt, lockEndsAt, locks }
    },

    /** Changes a record while nobody else does. */
    async change(sourceHash: string, next: (before: PinFailures) => PinFailures): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('pin_failures')
          .values({ source_hash: sourceHash, failures: 0, window_ends_at: 0, lock_ends_at: 0, locks: 0 })
          .onConflict((conflict) =>
            conflict.column('source_hash').doUpdateSet((row) => ({ failures: row.ref('pin_failures.failures') })),
          )
          .returningAll()
          .executeTakeFirstOrThrow()
        const { failures, locks, window_ends_at: windowEndsAt, lock_ends_at: lockEndsAt } = row
        const changed = next({ failures, windowEndsAt, lockEndsAt, locks })
        await transaction
          .updateTable('pin_failures')
          .set({
            failures: changed.failures,
            window_ends_at: changed.windowEndsAt,
            lock_ends_at: changed.lockEndsAt,
            locks: changed.locks,
          })
          .where('source_hash', '=', sourceHash)
          .execute()
      })
    },

    countFailure: (now: number): Promise<void> => countInHour(now, { failures: 1, joins: 0 }),
    countJoin: (now: number): Promise<void> => countInHour(now, { failures: 0, joins: 1 }),

    /** What the last 24 hours have seen. */
    async countDay(now: number): Promise<{ failures: number; joins: number }> {
      const row = await db
        .selectFrom('pin_hours')
        .select((rows) => [
          rows.fn.coalesce(rows.fn.sum<number>('failures'), rows.lit(0)).as('failures'),
          rows.fn.coalesce(rows.fn.sum<number>('joins'), rows.lit(0)).as('joins'),
        ])
        .where('hour', '>', now - dayMs)
        .executeTakeFirstOrThrow()
      return { failures: Number(row.failures), joins: Number(row.joins) }
    },

    /** Forgets sources that have been quiet for a day, and hours that count for nothing any more. */
    async forgetOld(now: number): Promise<void> {
      await db
        .deleteFrom('pin_failures')
        .where('window_ends_at', '<', now - dayMs)
        .where('lock_ends_at', '<', now - dayMs)
        .execute()
      await db
        .deleteFrom('pin_hours')
        .where('hour', '<', now - 2 * dayMs)
        .execute()
    },
  }
}

export type PinFailuresStore = ReturnType<typeof createPinFailuresStore>
