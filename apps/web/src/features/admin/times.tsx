import type { ReactNode } from 'react'
import { useNow } from '#/lib/use-now.ts'
import { formatOptionalDate, isDate } from '#/strings/dates/optional-date.ts'
import { formatAgo } from '#/strings/durations.ts'
import { formatDateTime, formatShortDate } from '#/strings/format.ts'

const refreshIntervalMs = 30_000

interface TimeProps {
  readonly time: number | null
}

/** A date; one that is missing or unreadable says so. */
export const OptionalDate = ({ time }: TimeProps) => <Time time={time}>{formatOptionalDate(time)}</Time>

/** A date in a column of a table. */
export const ShortDate = ({ time }: TimeProps) => (
  <Time time={time}>{isDate(time) ? formatShortDate(time) : formatOptionalDate(time)}</Time>
)

/** How long ago a time was. */
export function TimeAgo({ time }: TimeProps) {
  const now = useNow(refreshIntervalMs)
  return <Time time={time}>{isDate(time) ? formatAgo(time, now) : formatOptionalDate(time)}</Time>
}

/** A text for a time, with the exact time as its title. */
function Time({ time, children }: TimeProps & { readonly children: ReactNode }) {
  if (!isDate(time)) return children
  return (
    <time dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
      {children}
    </time>
  )
}
