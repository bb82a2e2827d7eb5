import { dayOf, lastDays } from '@sallyport/contract/days'
import type { ServerContext } from '../../../context.ts'
import { type AnalyticsStore, mapCounts } from './analytics.store.ts'

interface AnalyticsDeps extends Pick<ServerContext, 'now'> {
  readonly store: AnalyticsStore
}

const noCounts = mapCounts(() => 0)

/** Counts of people, files and bytes by day. */
export function createAnalytics({ store, now }: AnalyticsDeps) {
  return {
    /** The last days with their counts, and the sums of as many days before. */
    async show(dayCount: number) {
      const time = now()
      const days = lastDays(2 * dayCount, time)
      const [oldest = ''] = days
      const byDay = await store.countsSince(oldest)
      const countedSince = (await store.firstDay()) ?? dayOf(time)
      const countsOf = (day: string) => byDay.get(day) ?? noCounts
      const before = days.slice(0, dayCount).map(countsOf)
      return {
        days: days.slice(dayCount).map((day) => ({ day, ...countsOf(day) })),
        previous:
          countedSince <= oldest ? mapCounts((name) => before.reduce((sum, counts) => sum + counts[name], 0)) : null,
        counted_since: countedSince,
      }
    },
  }
}

export type Analytics = ReturnType<typeof createAnalytics>
