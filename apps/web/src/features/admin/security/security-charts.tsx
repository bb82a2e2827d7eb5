import { chartStrings } from '#/strings/admin/charts.ts'
import { adminSecurityStrings as strings } from '#/strings/admin/security.ts'
import { formatUtcDay } from '#/strings/format.ts'
import type { SecurityFigures } from '../admin.queries.ts'
import { ChartGrid } from '../charts/chart-grid.tsx'
import type { ChartTone } from '../charts/chart-plot.tsx'
import { DayChart } from '../charts/day-chart.tsx'

type ChartKey = Exclude<keyof SecurityFigures['days'][number], 'day'>

/** The charts in their order. */
const tones: Readonly<Record<ChartKey, ChartTone>> = {
  failed_sign_ins: 'brass',
  refused_sign_ins: 'brass',
  wrong_codes: 'brass',
  wrong_pins: 'brass',
  bans: 'ink',
  admin_actions: 'ink',
}

export const securityChartKeys = Object.keys(tones) as ChartKey[]

/** Failed attempts, and what admins did about them, by day. */
export const SecurityCharts = ({ days, counted_since: countedSince }: SecurityFigures) => (
  <>
    <ChartGrid>
      {securityChartKeys.map((key) => (
        <DayChart
          key={key}
          title={strings.charts[key]}
          name={key}
          days={days.map((day) => ({ day: day.day, count: day[key] }))}
          previous={null}
          tone={tones[key]}
        />
      ))}
    </ChartGrid>
    <p className="mt-4 text-xs text-pretty text-ink-3">
      {strings.chartsHint} {chartStrings.countedSince(formatUtcDay(countedSince))}
    </p>
  </>
)
