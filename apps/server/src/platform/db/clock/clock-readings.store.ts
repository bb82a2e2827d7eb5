import type { Database } from '../schema.ts'

/** The time that a node has last taken to be right. */
export interface ClockReading {
  readonly bootId: string
  readonly time: number
  /** Of its machine at that time. */
  readonly uptimeMs: number
  /** How often an admin has confirmed the time before. */
  readonly confirmations: number
}

/** SQL of the times that the nodes have seen, one row for each start of a machine. */
export function createClockReadingsStore(db: Database) {
  async function countConfirmations(): Promise<number> {
    const { newest } = await db
      .selectFrom('clock_readings')
      .select((row) => row.fn.max('confirmations').as('newest'))
      .executeTakeFirstOrThrow()
    return newest ?? 0
  }

  return {
    countConfirmations,

    /** False in the database of an older version, which is not migrated yet. */
    async isThere(): Promise<boolean> {
      const tables = await db.introspection.getTables()
      return tables.some(({ name }) => name === 'clock_readings')
    },

    /** The readings since the last confirmation, latest first. Earlier ones may be wrong. */
    async list(): Promise<ClockReading[]> {
      const rows = await db
        .selectFrom('clock_readings')
        .selectAll()
        .where('confirmations', '=', await countConfirmations())
        .orderBy('time', 'desc')
        .execute()
      return rows.map(({ boot_id, time, uptime_ms, confirmations }) => ({
        bootId: boot_id,
        time,
        uptimeMs: uptime_ms,
        confirmations,
      }))
    },

    /** Replaces the reading of this start of the machine, and deletes those of other ones that are older than a time. */
    async save({ bootId, time, uptimeMs, confirmations }: ClockReading, removeBefore: number): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const values = { time, uptime_ms: Math.round(uptimeMs), confirmations }
        await transaction
          .insertInto('clock_readings')
          .values({ boot_id: bootId, ...values })
          .onConflict((conflict) =>
            conflict
              .column('boot_id')
              .doUpdateSet(values)
              // The operator may have confirmed the time in between, in another process of this machine.
              .where('clock_readings.confirmations', '<=', confirmations),
          )
          .execute()
        await transaction.deleteFrom('clock_readings').where('time', '<', removeBefore).execute()
      })
    },
  }
}

export type ClockReadingsStore = ReturnType<typeof createClockReadingsStore>
