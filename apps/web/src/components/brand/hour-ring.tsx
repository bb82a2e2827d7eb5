import type { CSSProperties } from 'react'
import { type TimeBand, timeBand, timeScales } from './time-band.ts'

interface HourRingProps {
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Remaining time as a ring that empties on a fixed scale of 24 hours, 1 hour or 5 minutes. Always show it next to a text.
 * It changes only with `now`: with a CSS animation, 4 rings used 4 % of a core (measured).
 */
export function HourRing({ expiresAt, now }: HourRingProps) {
  const band = timeBand(expiresAt, now)
  return <TimeRing band={band} share={(expiresAt - now) / timeScales[band]} />
}

interface TimeRingProps {
  /** Determines the colour. */
  readonly band: TimeBand
  /** Remaining share, 0 to 1. */
  readonly share: number
}

/** A ring that shows an exact share, for times whose start is known. */
export function TimeRing({ band, share }: TimeRingProps) {
  const left = { '--left': Math.min(1, Math.max(0, share)) * 100 } as CSSProperties
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 18 18"
      width={18}
      height={18}
      data-band={band}
      style={left}
      className="hour-ring"
    >
      <circle className="hour-ring-track" {...circle} />
      <circle className="hour-ring-left" pathLength="100" {...circle} />
    </svg>
  )
}

const circle = { cx: 9, cy: 9, r: 7, fill: 'none', strokeWidth: 3, transform: 'rotate(-90 9 9)' } as const
