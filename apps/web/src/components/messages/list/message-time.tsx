import { serverClock } from '@sallyport/browser/server-clock'
import { chatStrings } from '#/strings/chat.ts'
import { formatDateTime, toDate } from '#/strings/format.ts'

interface MessageTimeProps {
  /** Epoch milliseconds. */
  readonly time: number
  readonly isByDeviceClock: boolean
}

/** The time a message was sent, with the date unless it is today. */
export function MessageTime({ time, isByDeviceClock }: MessageTimeProps) {
  const date = toDate(time)
  const isToday = date.toDateString() === toDate(serverClock.now()).toDateString()
  return (
    <time dateTime={date.toISOString()} title={formatDateTime(time)}>
      {isToday ? null : `${formatDateTime(time, { day: 'numeric', month: 'short' })} `}
      <span className="num">{formatDateTime(time, { hour: 'numeric', minute: '2-digit' })}</span>
      {isByDeviceClock ? <span className="text-ink-3"> {chatStrings.byDeviceClock}</span> : null}
    </time>
  )
}
