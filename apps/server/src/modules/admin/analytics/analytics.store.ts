import { countedSince, type DailyCounts, dailyCountNames } from '../../../platform/db/daily-counts.ts'
import type { Database } from '../../../platform/db/schema.ts'

/** SQL for what happened on each day. */
export function createAnalyticsStore(db: Database) {
  return {
    /** The counts of the days since this one on which anything was counted. */
    async countsSince(since: string): Promise<ReadonlyMap<string, DailyCounts>> {
      const rows = await db
        .selectFrom('daily_counts')
        .select('day')
        .select(({ fn }) => dailyCountNames.map((name) => fn.sum<number>(name).as(name)))
        .where('day', '>=', since)
        .groupBy('day')
        .execute()
      return new Map(rows.map(({ day, ...sums }) => [day, mapCounts((name) => Number(sums[name]))]))
    },
    countedSince: () => countedSince(db),
  }
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

/** Creates a value for each of the counts. */
export const mapCounts = (countOf: (name: (typeof dailyCountNames)[number]) => number): DailyCounts =>
  Object.fromEntries(dailyCountNames.map((name) => [name, countOf(name)])) as DailyCounts
