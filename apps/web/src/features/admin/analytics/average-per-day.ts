import type { DayCount } from '../charts/days-csv.ts'

/** The average of the days from the first one that was counted, with one decimal; today counts only if it is that one. */
export function averagePerDay(days: readonly DayCount[], countedSince: string): number {
  const counted = days.filter(({ day }) => day >= countedSince)
  const complete = counted.length > 1 ? counted.slice(0, -1) : counted
  const sum = complete.reduce((total, { count }) => total + count, 0)
  return Math.round((10 * sum) / Math.max(1, complete.length)) / 10
}
