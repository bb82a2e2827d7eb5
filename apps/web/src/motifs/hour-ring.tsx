import type { CSSProperties } from 'react'
import { classNames } from '#/ui/class-names.ts'
import { minute, type TimeBand, timeBand, timeScales } from './time-band.ts'

interface HourRingProps {
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly className?: string
}

/**
 * Time left, as a ring that empties on a fixed scale of 24 hours, one hour or five minutes. Words must stand beside it.
 * It moves when `now` does: left to an animation of its own, four rings kept the page busy for 4 % of a core (measured).
 */
export function HourRing({ expiresAt, now, className }: HourRingProps) {
  const band = timeBand(expiresAt, now)
  return <TimeRing band={band} share={(expiresAt - now) / timeScales[band]} className={className} />
}

interface LifetimeRingProps {
  readonly minutes: number
  readonly className?: string
}

/** A whole lifetime on the same scales: what a new file will get. */
export function LifetimeRing({ minutes, className }: LifetimeRingProps) {
  const band = minutes < 60 ? 'hour' : 'day'
  return <TimeRing band={band} share={(minutes * minute) / timeScales[band]} className={className} />
}

interface TimeRingProps {
  /** Gives the colour. */
  readonly band: TimeBand
  /** What is left, from 0 to 1. */
  readonly share: number
  readonly className?: string | undefined
}

/** A ring for times whose beginning is known too, so that it can show the true share. */
export function TimeRing({ band, share, className }: TimeRingProps) {
  const left = { '--left': Math.min(1, Math.max(0, share)) * 100 } as CSSProperties
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 18 18"
      width={18}
      height={18}
      data-band={band}
      style={left}
      className={classNames('hour-ring', className)}
    >
      <circle className="hour-ring-track" {...circle} />
      <circle className="hour-ring-left" pathLength="100" {...circle} />
    </svg>
  )
}

const circle = { cx: 9, cy: 9, r: 7, fill: 'none', strokeWidth: 3, transform: 'rotate(-90 9 9)' } as const
