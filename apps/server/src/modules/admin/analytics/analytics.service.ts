import { lastDays } from '@sallyport/contract/days'
import type { ServerContext } from '../../../context.ts'
import { type AnalyticsStore, mapCounts } from './analytics.store.ts'

interface AnalyticsDeps extends Pick<ServerContext, 'now'> {
  readonly store: AnalyticsStore
}

const noCounts = mapCounts(() => 0)

/** Counts of people, files and bytes by day. */
export function createAnalytics({ store, now }: AnalyticsDeps) {
  return {
    /** The last days with their counts, and the sums of as many days before as are over of these: all but today. */
    async show(dayCount: number) {
      const days = lastDays(2 * dayCount - 1, now())
      const [oldest = ''] = days
      const byDay = await store.countsSince(oldest)
      const since = await store.countedSince()
      const countsOf = (day: string) => byDay.get(day) ?? noCounts
      const before = days.slice(0, dayCount - 1).map(countsOf)
      return {
        days: days.slice(dayCount - 1).map((day) => ({ day, ...countsOf(day) })),
        // The first day was not counted from its beginning.
        previous: since < oldest ? mapCounts((name) => before.reduce((sum, counts) => sum + counts[name], 0)) : null,
        counted_since: since,
      }
    },
  }
}

export type Analytics = ReturnType<typeof createAnalytics>
