import { formatRemaining } from '@sallyport/contract/formats'
import { HourRing } from '#/motifs/hour-ring.tsx'
import { classNames } from '#/ui/class-names.ts'
import { useIsPhone } from '#/ui/use-is-phone.ts'

interface FileTimeLeftProps {
  /** Epoch milliseconds, like the next. */
  readonly expiresAt: number
  readonly now: number
  readonly className?: string
}

/** How long a file will still be there: a ring, and the words beside it. */
export function FileTimeLeft({ expiresAt, now, className }: FileTimeLeftProps) {
  const isPhone = useIsPhone()
  const words = formatRemaining(expiresAt, now)
  const isOver = expiresAt <= now
  return (
    <time
      dateTime={new Date(expiresAt).toISOString()}
      title={new Date(expiresAt).toLocaleString()}
      className={classNames('flex items-center gap-2', className)}
    >
      <HourRing expiresAt={expiresAt} now={now} />
      {isPhone && !isOver ? `Expires in ${words.replace(' remaining', '')}` : words}
    </time>
  )
}
