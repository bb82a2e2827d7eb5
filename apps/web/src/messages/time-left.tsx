import { useSyncExternalStore } from 'react'
import { TimeRing } from '#/motifs/hour-ring.tsx'
import { timeBand, timeBandText } from '#/motifs/time-band.ts'
import { classNames } from '#/ui/class-names.ts'
import { goneIn } from './gone-in.ts'
import { eachSecond } from './seconds.ts'

interface TimeLeftProps {
  /** Both in epoch milliseconds. */
  readonly from: number
  readonly until: number
}

/** How long a message will still be there. Looked at each second, drawn only when there is something new to say. */
export function TimeLeft({ from, until }: TimeLeftProps) {
  const words = useEachSecond(() => goneIn(until, Date.now()))
  const band = useEachSecond(() => timeBand(until, Date.now()))
  const percent = useEachSecond(() => Math.ceil(((until - Date.now()) / Math.max(1, until - from)) * 100))
  return (
    <time
      dateTime={new Date(until).toISOString()}
      title={new Date(until).toLocaleString()}
      className={classNames('flex items-center gap-2 whitespace-nowrap', timeBandText[band])}
    >
      <TimeRing band={band} share={percent / 100} />
      {words}
    </time>
  )
}

const useEachSecond = <Value extends string | number>(look: () => Value): Value =>
  useSyncExternalStore(eachSecond.subscribe, look)
