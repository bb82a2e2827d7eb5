import { chatWords } from '#/words/chat.ts'

interface MessageTimeProps {
  /** Epoch milliseconds. */
  readonly time: number
  readonly isByDeviceClock: boolean
}

/** When a message was sent: the hour, and the day unless it is today. */
export function MessageTime({ time, isByDeviceClock }: MessageTimeProps) {
  const sent = new Date(time)
  const isToday = sent.toDateString() === new Date().toDateString()
  return (
    <time dateTime={sent.toISOString()} title={sent.toLocaleString()}>
      {isToday ? null : `${sent.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} `}
      <span className="num">{sent.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}</span>
      {isByDeviceClock ? <span className="text-ink-3"> {chatWords.byDeviceClock}</span> : null}
    </time>
  )
}
