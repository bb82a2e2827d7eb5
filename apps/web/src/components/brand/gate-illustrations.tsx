import type { ReactNode } from 'react'
import { classNames } from '#/components/ui/class-names.ts'

interface IllustrationProps {
  readonly className?: string
}

/** Illustration for missing content: an open, empty gate. */
export function EmptyGate({ className }: IllustrationProps) {
  return (
    <GateFrame className={className}>
      <path className="stroke-line" strokeWidth="2" d="M14 104V60a46 46 0 0 1 92 0v44" />
      <path className="stroke-line-strong" strokeWidth="2.5" d="M32 104V62a28 28 0 0 1 56 0v42" />
      <path className="fill-sunken stroke-line-strong" strokeWidth="2" d="M32 104V62a28 28 0 0 1 7-18.4L52 52v58z" />
    </GateFrame>
  )
}

/** Illustration for a crashed page: a broken gate. */
export function BrokenGate({ className }: IllustrationProps) {
  return (
    <GateFrame className={className}>
      <path className="stroke-line" strokeWidth="2" d="M14 104V60a46 46 0 0 1 40-45.6M70 15.1A46 46 0 0 1 106 60v44" />
      <path className="stroke-line-strong" strokeWidth="2.5" d="M32 104V62a28 28 0 0 1 22-27.3" />
      <path className="stroke-rust" strokeWidth="2.5" d="m64 40 7-4.5A28 28 0 0 1 88 62v42" />
      <path className="stroke-rust" strokeWidth="2.5" strokeLinecap="round" d="m58 30 5 8-7 6 4 8" />
    </GateFrame>
  )
}

interface GateFrameProps {
  readonly className: string | undefined
  readonly children: ReactNode
}

/** The shared frame and ground line of the gate illustrations. */
function GateFrame({ className, children }: GateFrameProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 120"
      width={120}
      height={120}
      className={classNames('fill-none', className)}
    >
      {children}
      <path className="stroke-line-strong" strokeWidth="2.5" strokeLinecap="round" d="M4 104h112" />
    </svg>
  )
}
