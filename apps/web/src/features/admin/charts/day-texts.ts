import { formatBytes } from '@sallyport/contract/formats'
import { chartStrings as strings } from '#/strings/admin/charts.ts'
import { formatNumber, formatUtcDay } from '#/strings/format.ts'
import type { ChartUnit } from './axis-ticks.ts'
import type { DayCount } from './days-csv.ts'

export const formatCount = (count: number, unit: ChartUnit): string =>
  unit === 'bytes' ? formatBytes(count) : formatNumber(count)

/** The label of a tick, without the decimals of whole units: `20 MB`. */
export const formatTick = (tick: number, unit: ChartUnit): string =>
  tick === 0 ? '0' : formatCount(tick, unit).replace('.00', '')

/** A day with its count in a sentence. */
export function formatDayCount({ day, count }: DayCount, unit: ChartUnit, isToday: boolean): string {
  const text = formatCount(count, unit)
  return isToday ? strings.todayCount(formatUtcDay(day), text) : strings.dayCount(formatUtcDay(day), text)
}
