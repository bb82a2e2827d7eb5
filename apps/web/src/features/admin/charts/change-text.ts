import { chartStrings as strings } from '#/strings/admin/charts.ts'
import { formatNumber, formatPercent } from '#/strings/format.ts'

/** From here on a change reads better as a factor than in per cent. */
const smallestFactor = 10

/** Compares the sum of the days that are over with that of as many days before, in a sentence. */
export function changeText(sum: number, previous: number, days: number): string {
  if (sum === previous) return strings.same(days)
  if (previous === 0) return strings.noneBefore(days)
  if (sum >= previous * smallestFactor) return strings.timesBefore(formatNumber(Math.round(sum / previous)), days)
  const percent = Math.round((100 * (sum - previous)) / previous)
  if (percent === 0) return strings.almostSame(days)
  const text = formatPercent(Math.abs(percent))
  return percent > 0 ? strings.more(text, days) : strings.less(text, days)
}
