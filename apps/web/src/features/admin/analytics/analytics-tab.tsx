import { type AnalyticsCounts, AnalyticsPeriod } from '@sallyport/contract/admin-analytics'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#/components/ui/card.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { adminAnalyticsStrings as strings } from '#/strings/admin/analytics.ts'
import { chartStrings } from '#/strings/admin/charts.ts'
import { formatUtcDay } from '#/strings/format.ts'
import { type Analytics, analyticsQuery } from '../admin.queries.ts'
import type { ChartUnit } from '../charts/axis-ticks.ts'
import { ChartGrid, LoadingCharts } from '../charts/chart-grid.tsx'
import { DayChart } from '../charts/day-chart.tsx'
import { LoadedPeriod } from '../charts/loaded-period.tsx'
import { PeriodSelect, usePeriod } from '../charts/period-select.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { averagePerDay } from './average-per-day.ts'

type ChartKey = keyof AnalyticsCounts

/** The charts in their order. */
const units: Readonly<Record<ChartKey, ChartUnit>> = {
  active_users: 'count',
  new_users: 'count',
  uploads: 'count',
  uploaded_bytes: 'bytes',
  downloads: 'count',
  downloaded_bytes: 'bytes',
  shares: 'count',
  sessions: 'count',
  portals: 'count',
}
const chartKeys = Object.keys(units) as ChartKey[]

/** What happens on the server by day, in totals. The period is in the URL. */
export function AnalyticsTab() {
  const periods = AnalyticsPeriod.options
  const [period, setPeriod] = usePeriod(periods)
  const query = useQuery(analyticsQuery(useAdminCall(), period))
  return (
    <section aria-labelledby="analytics-heading" className="grid gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="analytics-heading" className="heading text-xl">
          {strings.heading}
        </h2>
        <PeriodSelect periods={periods} period={period} onChange={setPeriod} />
      </header>
      <LoadedPeriod query={query} failed={strings.failed} skeleton={<LoadingCharts chartKeys={chartKeys} />}>
        {(analytics) => <Charts {...analytics} />}
      </LoadedPeriod>
    </section>
  )
}

function Charts({ days, previous, counted_since: countedSince }: Analytics) {
  const isEmpty = days.every((day) => chartKeys.every((key) => day[key] === 0))
  return (
    <>
      {isEmpty ? (
        <Card>
          <EmptyState title={strings.nothing} />
        </Card>
      ) : (
        <ChartGrid>
          {chartKeys.map((key) => {
            const counts = days.map((day) => ({ day: day.day, count: day[key] }))
            return (
              <DayChart
                key={key}
                title={strings.charts[key]}
                name={key}
                days={counts}
                previous={previous?.[key] ?? null}
                averagePerDay={key === 'active_users' ? averagePerDay(counts, countedSince) : undefined}
                unit={units[key]}
              />
            )
          })}
        </ChartGrid>
      )}
      <p className="mt-4 text-xs text-pretty text-ink-3">
        {chartStrings.countedSince(formatUtcDay(countedSince))} {strings.totalsOnly}
      </p>
    </>
  )
}
