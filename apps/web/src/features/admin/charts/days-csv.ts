/** The count of one day. The last day of a chart is today, which isn’t over. */
export interface DayCount {
  /** In UTC, such as 2026-11-28. */
  readonly day: string
  readonly count: number
}

/** Writes days as CSV by RFC 4180. Days and counts need no quotes. */
export const writeCsv = (name: string, days: readonly DayCount[]): string =>
  [['day', name], ...days.map(({ day, count }) => [day, count])].map((row) => `${row.join(',')}\r\n`).join('')

/** The name of the file of a chart: `sallyport-active-users-30-days.csv`. */
export const csvFileName = (name: string, days: number): string =>
  `sallyport-${name.replaceAll('_', '-')}-${days}-days.csv`
