import { HourRing } from '#/components/brand/hour-ring.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { formatExpiresIn } from '#/strings/durations.ts'
import { formatDateTime, toDate } from '#/strings/format.ts'
import { formatRemaining } from '#/strings/remaining-time.ts'

interface FileTimeLeftProps {
  /** Epoch milliseconds, like `now`. */
  readonly expiresAt: number
  readonly now: number
  readonly className?: string
}

/** The remaining lifetime of a file as a ring and a text. */
export function FileTimeLeft({ expiresAt, now, className }: FileTimeLeftProps) {
  const isPhone = useIsPhone()
  return (
    <time
      dateTime={toDate(expiresAt).toISOString()}
      title={formatDateTime(expiresAt)}
      className={classNames('flex items-center gap-2', className)}
    >
      <HourRing expiresAt={expiresAt} now={now} />
      {isPhone ? formatExpiresIn(expiresAt, now) : formatRemaining(expiresAt, now)}
    </time>
  )
}
