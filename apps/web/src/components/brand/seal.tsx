import { type CSSProperties, useEffect, useId, useRef } from 'react'
import { classNames } from '#/components/ui/class-names.ts'

export type SealState = 'idle' | 'waiting' | 'encrypting' | 'sending' | 'sealed' | 'failed' | 'cancelled'

interface SealProps {
  readonly state: SealState
  /** Encrypted share, 0 to 1: the pale ticks. */
  readonly encrypted?: number
  /** Delivered share, 0 to 1: the solid ticks. */
  readonly delivered?: number
  readonly size?: 56 | 72 | 120
  readonly className?: string
}

/**
 * A ring of 48 ticks around a small gate. It only repeats the progress bar next to it, so it is hidden from screen
 * readers. When the ring closes, a stamp animation plays once; a seal that is closed on mount is not animated.
 */
export function Seal({ state, encrypted = 0, delivered = 0, size = 72, className }: SealProps) {
  const ticksMaskId = useId()
  const justSealed = useJustSealed(state)
  const isEmpty = state === 'cancelled' || state === 'idle'
  const shares = {
    '--encrypted': isEmpty ? 0 : percent(Math.max(encrypted, delivered)),
    '--delivered': isEmpty ? 0 : percent(delivered),
  } as CSSProperties

  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 120"
      width={size}
      height={size}
      data-state={state}
      data-size={size}
      data-stamp={justSealed || undefined}
      style={shares}
      className={classNames('seal', className)}
    >
      <mask id={ticksMaskId} maskUnits="userSpaceOnUse" x="0" y="0" width="120" height="120">
        <path className="seal-ticks" d={ticksPath} />
      </mask>
      <g mask={`url(#${ticksMaskId})`}>
        <g className="seal-rings">
          <circle className="seal-track" {...ring} />
          <circle className="seal-encrypted" pathLength="100" {...ring} />
          <circle className="seal-delivered" pathLength="100" {...ring} />
        </g>
      </g>
      <circle className="seal-fused" {...ring} />
      <path className="seal-gate" d="M41.5 80.5V58a18.5 18.5 0 0 1 37 0v22.5z" />
      <g className="seal-keyhole">
        <circle cx="60" cy="60.5" r="4.8" />
        <path d="M57.8 62h4.4v13h-4.4z" />
      </g>
      <path className="seal-tick" d="m51.5 63.5 6.2 6.2L69 57" />
    </svg>
  )
}

const ticksPath = Array.from({ length: 48 }, (_, index) => {
  // The first tick starts at the top instead of being centred on it, so that no share cuts it in half.
  const angle = ((index + 0.5) / 48 - 0.25) * 2 * Math.PI
  const at = (radius: number) =>
    `${(60 + radius * Math.cos(angle)).toFixed(2)} ${(60 + radius * Math.sin(angle)).toFixed(2)}`
  return `M${at(45.5)}L${at(56.5)}`
}).join('')

const ring = { cx: 60, cy: 60, r: 51, fill: 'none', strokeWidth: 10, transform: 'rotate(-90 60 60)' } as const

function percent(share: number): number {
  return Math.min(1, Math.max(0, share)) * 100
}

/** True once the seal has closed while mounted; vibrates devices that support it. */
function useJustSealed(state: SealState): boolean {
  const wasOpen = useRef(state !== 'sealed')
  const justSealed = state === 'sealed' && wasOpen.current

  useEffect(() => {
    if (justSealed) navigator.vibrate?.(12)
  }, [justSealed])

  return justSealed
}
