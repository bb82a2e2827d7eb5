import type { Database, Tables } from '../db/schema.ts'
import { type DayOfFailures, noFailures, type PinFailures } from './pin-failures.rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hourOf = (time: number): number => Math.floor(time / hourMs) * hourMs

/** SQL of the wrong-PIN counts, shared by all nodes. */
export function createPinFailuresStore(db: Database) {
  return {
    async find(sourceHash: string): Promise<PinFailures> {
      const row = await db
        .selectFrom('pin_failures')
        .selectAll()
        .where('source_hash', '=', sourceHash)
        .executeTakeFirst()
      return row ? failuresOf(row) : noFailures
    },

    /** Updates a record under a row lock. */
    async update(sourceHash: string, next: (before: PinFailures) => PinFailures): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('pin_failures')
          .values({ source_hash: sourceHash, ...rowOf(noFailures) })
          .onConflict((conflict) =>
            conflict.column('source_hash').doUpdateSet((row) => ({ failures: row.ref('pin_failures.failures') })),
          )
          .returningAll()
          .executeTakeFirstOrThrow()
        await transaction
          .updateTable('pin_failures')
          .set(rowOf(next(failuresOf(row))))
          .where('source_hash', '=', sourceHash)
          .execute()
      })
    },

    /** Counts a wrong PIN of a stranger that is answered as wrong. */
    async countFailure(now: number, isRepeat: boolean): Promise<void> {
      const repeats = Number(isRepeat)
      await db
        .insertInto('pin_hours')
        .values({ hour: hourOf(now), failures: 1, repeats, joins: 0 })
        .onConflict((conflict) =>
          conflict.column('hour').doUpdateSet((row) => ({
            failures: row('pin_hours.failures', '+', 1),
            repeats: row('pin_hours.repeats', '+', repeats),
          })),
        )
        .execute()
    },

    /** The counts of the last 24 hours, rounded up to whole hours. */
    async getDayCounts(now: number): Promise<DayOfFailures> {
      const row = await db
        .selectFrom('pin_hours')
        .select((rows) => [
          rows.fn.coalesce(rows.fn.sum<number>('failures'), rows.lit(0)).as('failures'),
          rows.fn.coalesce(rows.fn.sum<number>('repeats'), rows.lit(0)).as('repeats'),
        ])
        // An hour that began just over a day ago still has failures of the last 24 hours.
        .where('hour', '>', now - dayMs - hourMs)
        .executeTakeFirstOrThrow()
      return { failures: Number(row.failures), repeats: Number(row.repeats) }
    },

    /** Deletes sources that have been quiet for a day, and hours that no longer count. */
    async deleteOld(now: number): Promise<void> {
      await db
        .deleteFrom('pin_failures')
        .where('window_ends_at', '<', now - dayMs)
        .where('lock_ends_at', '<', now - dayMs)
        .where('drained_at', '<', now)
        .execute()
      await db
        .deleteFrom('pin_hours')
        .where('hour', '<', now - 2 * dayMs)
        .execute()
    },
  }
}

export type PinFailuresStore = ReturnType<typeof createPinFailuresStore>

const failuresOf = (row: Tables['pin_failures']): PinFailures => ({
  answered: row.failures,
  answeredUntil: row.window_ends_at,
  drainedAt: row.drained_at,
  lockEndsAt: row.lock_ends_at,
  locks: row.locks,
})

const rowOf = ({ answered, answeredUntil, drainedAt, lockEndsAt, locks }: PinFailures) => ({
  failures: answered,
  window_ends_at: answeredUntil,
  drained_at: drainedAt,
  lock_ends_at: lockEndsAt,
  locks,
})
