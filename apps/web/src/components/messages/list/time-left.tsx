import { serverClock } from '@sallyport/browser/server-clock'
import { useSyncExternalStore } from 'react'
import { TimeRing } from '#/components/brand/hour-ring.tsx'
import { timeBand, timeBandText } from '#/components/brand/time-band.ts'
import { classNames } from '#/components/ui/class-names.ts'
import { formatGoneIn } from '#/strings/durations.ts'
import { formatDateTime, toDate } from '#/strings/format.ts'
import { eachSecond } from '../seconds.ts'

interface TimeLeftProps {
  /** Both in epoch milliseconds. */
  readonly from: number
  readonly until: number
}

/** The remaining lifetime of a message. Computed every second, rendered only when the text changes. */
export function TimeLeft({ from, until }: TimeLeftProps) {
  const text = useEachSecond(() => formatGoneIn(until, serverClock.now()))
  const band = useEachSecond(() => timeBand(until, serverClock.now()))
  const percent = useEachSecond(() => Math.ceil(((until - serverClock.now()) / Math.max(1, until - from)) * 100))
  return (
    <time
      dateTime={toDate(until).toISOString()}
      title={formatDateTime(until)}
      className={classNames('flex items-center gap-2 whitespace-nowrap', timeBandText[band])}
    >
      <TimeRing band={band} share={percent / 100} />
      {text}
    </time>
  )
}

const useEachSecond = <Value extends string | number>(compute: () => Value): Value =>
  useSyncExternalStore(eachSecond.subscribe, compute)
