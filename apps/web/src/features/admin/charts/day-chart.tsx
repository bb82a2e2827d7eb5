import { saveBlob } from '@sallyport/transfers/browser/downloads/save-blob'
import { useId, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { chartStrings as strings } from '#/strings/admin/charts.ts'
import type { ChartUnit } from './axis-ticks.ts'
import { changeText } from './change-text.ts'
import { ChartPlot, type ChartTone } from './chart-plot.tsx'
import { formatCount, formatDayCount } from './day-texts.ts'
import { csvFileName, type DayCount, writeCsv } from './days-csv.ts'
import { DaysTable } from './days-table.tsx'

interface DayChartProps {
  readonly title: string
  /** The name of the column in the CSV file. */
  readonly name: string
  /** Oldest first. The last one is today. */
  readonly days: readonly DayCount[]
  /** The sum of the days before, as many as are over; null if it is not known. */
  readonly previous: number | null
  /** Shown instead of the sum. */
  readonly averagePerDay?: number | undefined
  readonly unit?: ChartUnit
  readonly tone?: ChartTone
}

/** A count by day: the figure of the whole period, its change, and bars or a table of the days. */
export function DayChart(props: DayChartProps) {
  const { title, name, days, previous, averagePerDay, unit = 'count', tone = 'seal' } = props
  const headingId = useId()
  const [lastCursor, setCursor] = useState<number | null>(null)
  const [isTable, setTable] = useState(false)
  const sum = sumOf(days)
  // Another period may have fewer days.
  const cursor = lastCursor !== null && lastCursor < days.length ? lastCursor : null
  const marked = cursor === null ? undefined : days[cursor]
  const over = days.slice(0, -1)
  const change = previous === null ? null : changeText(sumOf(over), previous, over.length)

  function toggleTable() {
    setCursor(null)
    setTable(!isTable)
  }

  return (
    <Card aria-labelledby={headingId} className="grid content-start">
      <div className="flex items-start justify-between gap-2">
        <h3 id={headingId} className="min-w-0 text-sm/6 font-semibold">
          {title}
        </h3>
        <div className="close-corner flex">
          <Button
            variant="quiet"
            size="compact"
            aria-label={isTable ? strings.chartOf(title) : strings.tableOf(title)}
            onClick={toggleTable}
          >
            {isTable ? strings.chart : strings.table}
          </Button>
          <Button
            variant="quiet"
            size="compact"
            aria-label={strings.csvOf(title)}
            onClick={() =>
              saveBlob(new Blob([writeCsv(name, days)], { type: 'text/csv' }), csvFileName(name, days.length))
            }
          >
            {strings.csv}
          </Button>
        </div>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="heading-large text-2xl tabular-nums">{formatCount(averagePerDay ?? sum, unit)}</span>
        {averagePerDay === undefined ? null : <span className="text-xs text-ink-2">{strings.averagePerDay}</span>}
      </p>
      <p className={classNames('mb-4 min-h-4.5 text-xs tabular-nums', marked ? 'font-medium text-ink' : 'text-ink-2')}>
        {marked ? formatDayCount(marked, unit, cursor === days.length - 1) : change}
      </p>
      {isTable ? (
        <DaysTable title={title} days={days} unit={unit} />
      ) : (
        <ChartPlot title={title} days={days} unit={unit} tone={tone} cursor={cursor} onCursor={setCursor} />
      )}
    </Card>
  )
}

const sumOf = (days: readonly DayCount[]): number => days.reduce((total, { count }) => total + count, 0)
