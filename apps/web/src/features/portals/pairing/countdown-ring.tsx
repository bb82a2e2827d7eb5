import type { CSSProperties } from 'react'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'

/** Shows the seconds left since it was first rendered, as a number in a ring that empties. */
export function CountdownRing({ milliseconds }: { readonly milliseconds: number }) {
  const { secondsLeft } = useCountdown(milliseconds, true)
  const left = { '--left': (secondsLeft * 100_000) / milliseconds } as CSSProperties
  return (
    <svg
      role="timer"
      aria-label={portalScreenStrings.secondsLeft(secondsLeft)}
      viewBox="0 0 48 48"
      width={48}
      height={48}
      style={left}
      className="offer-ring"
    >
      <circle className="offer-ring-track" {...circle} />
      <circle className="offer-ring-left" pathLength="100" {...circle} />
      <text x="24" y="29" className="offer-ring-figure">
        {secondsLeft}
      </text>
    </svg>
  )
}

const circle = { cx: 24, cy: 24, r: 21, fill: 'none', strokeWidth: 4, transform: 'rotate(-90 24 24)' } as const
