import type { DayCount } from '../charts/days-csv.ts'

/** The average of the days from the first one that was counted, with one decimal. */
export function averagePerDay(days: readonly DayCount[], countedSince: string): number {
  const counted = days.filter(({ day }) => day >= countedSince)
  const sum = counted.reduce((total, { count }) => total + count, 0)
  return Math.round((10 * sum) / Math.max(1, counted.length)) / 10
}
